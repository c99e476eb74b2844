import { SLOTS } from '../../service/api/limits';
import type { Paragraph } from '../command-text';
import { Events, isNews, type RunEvent } from '../events';
import { LiveView } from './live-view';
import { ask, type Terminal } from './question';
import type { ConsoleOptions } from '../settings/options';
import { advance, noProgress } from './progress';
import { shownOn } from './wrap';
import { colourPaint, lineFor, plainPaint, type Paint } from './event-lines';

/** The streams around a command, and its environment. */
export interface Streams extends Terminal {
	in: NodeJS.ReadStream;
	out: NodeJS.WriteStream;
	env: NodeJS.ProcessEnv;
}

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
	/** The events of a run: it prints them, and others may listen. */
	readonly events: Events;
	/** The time at which the command began, in milliseconds. */
	readonly since: number;
	/** Removes the live view, as the end of a run does. */
	close(): void;
}

/** Checks whether --quiet prints an event: what went wrong, unless an earlier run has said so. */
function isForQuiet(event: RunEvent): boolean {
	return isNews(event) && event.event !== 'brief_accepted' && event.event !== 'brief_ready';
}

export function openConsole(streams: Streams, options: ConsoleOptions): Console {
	const { out, err, env, interruption: signal } = streams;
	const { json = false, quiet = false, color = true, leaveSlots = '0' } = options;
	const isDumb = env.TERM === 'dumb';
	const isLive = out.isTTY && !json && !quiet && !isDumb;
	const hasColour = out.isTTY && color && !isDumb && (env.NO_COLOR ?? '') === '';
	const paint = hasColour ? colourPaint : plainPaint;
	const canAsk = [streams.in, out, err].some(({ isTTY }) => isTTY);
	let progress = noProgress(SLOTS - Number(leaveSlots));
	let view = isLive ? new LiveView(out, () => progress) : null;
	const close = () => {
		view?.close();
		view = null;
	};
	const jsonLines = jsonPrinter();
	const write = (text: string) => void out.write(`${text}\n`);
	const onOut = (paragraph: Paragraph) => shownOn(out, paragraph, hasColour);
	const print = (text: string) => {
		if (view === null) write(text);
		else view.redraw(text);
	};

	const events = new Events();
	events.listen((event) => {
		progress = advance(progress, event, Date.now());
		if (event.event === 'run_ended') close();
		if (json) return jsonLines(event).forEach(write);
		const line = quiet && !isForQuiet(event) ? null : lineFor(event, paint, view?.width);
		if (line !== null) print(out.isTTY ? onOut(line) : stamped(onOut(line)));
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
		since: Date.now(),
		confirm: async (question, above = []) => {
			const onErr = (paragraph: Paragraph) => shownOn(err, paragraph);
			return canAsk && (await ask(onErr(question), above.map(onErr), streams));
		},
		close,
	};
}

/**
 * Turns the events of a run into lines of JSON. Scripts take `brief_ordered` for money, so an order that is sent is
 * printed when the service has taken it: a refused one never is.
 */
function jsonPrinter(): (event: RunEvent) => string[] {
	/** The orders that have no answer yet, by their key. */
	const ordersSent = new Map<string, string>();
	return (event) => {
		const line = JSON.stringify({ at: new Date().toISOString(), ...event });
		if (event.event === 'brief_ordered') {
			ordersSent.set(event.key, line);
			return [];
		}
		if (event.event !== 'brief_accepted') return [line];
		const orderEvent = ordersSent.get(event.key);
		ordersSent.delete(event.key);
		return orderEvent === undefined || event.taken_over === true ? [line] : [orderEvent, line];
	};
}

/** Puts the time before each line, such as 2026-11-03T14:03:12Z: without a terminal they usually go into a log. */
function stamped(text: string): string {
	const time = `${new Date().toISOString().slice(0, 19)}Z`;
	return text.replace(/^/gm, `${time}  `);
}
