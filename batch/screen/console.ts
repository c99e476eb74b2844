import { SLOTS } from '../../service/api/limits';
import type { Paragraph } from '../command-text';
import { Events, isNews, type Heard } from '../folder/events';
import { LiveView } from './live-view';
import { ask, type Streams } from './question';
import type { RawOptions } from '../settings/options';
import { progressLines } from './progress';
import { shownOn } from './wrap';
import { colourPaint, lineFor, plainPaint, type Paint, type ShownRun } from './event-lines';

/** The output of a command: lines, a live view on a terminal, or one JSON event a line. */
export interface Console {
	paint: Paint;
	/** True if a machine reads it: then `say` prints nothing. */
	readonly isJson: boolean;
	/** True if a terminal shows it, and no file or program takes it. */
	readonly isTerminal: boolean;
	/** True to print nothing if nothing is new. */
	readonly isQuiet: boolean;
	/** True if somebody sits there, to be asked. A schedule has no terminal. */
	readonly canAsk: boolean;
	/** Aborted when the command is to end. */
	readonly interruption: AbortSignal;
	/** Something for a person; nothing with --json. */
	say(paragraph: Paragraph): void;
	/** A line that is no part of the output. */
	warn(text: string): void;
	/** One event for a machine; nothing without --json. */
	json(event: object): void;
	/** Asks a yes-or-no question, on stderr, below these lines. Without a terminal the answer is no. */
	confirm(question: string, above?: readonly Paragraph[]): Promise<boolean>;
	/** What happens in a run: it prints that, and others may listen. */
	readonly events: Events;
	/** Shows a run from its beginning on, by what is on record of it. */
	showRun(run: ShownRun): void;
	/** The time at which the command began, in milliseconds. */
	readonly since: number;
	/** Removes the live view, as the end of a run does. */
	close(): void;
}

/** Checks whether --quiet prints a line: what went wrong, unless an earlier run has said so. */
function isForQuiet(line: Heard): boolean {
	return isNews(line) && line.event !== 'accepted' && line.event !== 'filed';
}

export function openConsole(streams: Streams, options: Partial<RawOptions>): Console {
	const { out, err, env, interruption: signal } = streams;
	const { json = false, quiet = false, color = true, leaveSlots = '0' } = options;
	const isDumb = env.TERM === 'dumb';
	const isLive = out.isTTY && !json && !quiet && !isDumb;
	const hasColour = out.isTTY && color && !isDumb && (env.NO_COLOR ?? '') === '';
	const paint = hasColour ? colourPaint : plainPaint;
	const canAsk = [streams.in, out, err].some(({ isTTY }) => isTTY);
	const usable = SLOTS - Number(leaveSlots);
	let othersRunning = 0;
	let shownRun: ShownRun | null = null;
	const progress = (width: number) => {
		const slots = { usable, others: othersRunning };
		return shownRun === null ? [] : progressLines(shownRun.records, events.nameOf, slots, width);
	};
	let view = isLive ? new LiveView(out, progress) : null;
	const close = () => {
		view?.close();
		view = null;
	};
	const write = (text: string) => void out.write(`${text}\n`);
	const onOut = (paragraph: Paragraph) => shownOn(out, paragraph, hasColour);
	const print = (text: string) => {
		if (view === null) write(text);
		else view.redraw(text);
	};

	const events = new Events();
	events.listen((line) => {
		if ('others_running' in line) othersRunning = line.others_running;
		if (line.event === 'run_ended') close();
		if (json) return write(JSON.stringify(line));
		const isHidden = quiet && !isForQuiet(line);
		const text = isHidden ? null : lineFor(line, paint, shownRun, view?.width);
		if (text !== null) print(out.isTTY ? onOut(text) : stamped(onOut(text)));
		else view?.redraw();
	});

	return {
		paint,
		isJson: json,
		isTerminal: out.isTTY,
		isQuiet: quiet && !json,
		canAsk,
		interruption: signal,
		say: (paragraph) => {
			if (!json) print(onOut(paragraph));
		},
		warn: (text) => void err.write(`${shownOn(err, text)}\n`),
		json: (event) => {
			if (json) write(JSON.stringify(event));
		},
		events,
		showRun: (run) => (shownRun = run),
		since: Date.now(),
		confirm: async (question, above = []) => {
			const onErr = (paragraph: Paragraph) => shownOn(err, paragraph);
			return canAsk && (await ask(onErr(question), above.map(onErr), streams));
		},
		close,
	};
}

/** Puts the time before each line, such as 2026-11-03T14:03:12Z: without a terminal they usually go into a log. */
function stamped(text: string): string {
	const time = `${new Date().toISOString().slice(0, 19)}Z`;
	return text.replace(/^/gm, `${time}  `);
}
