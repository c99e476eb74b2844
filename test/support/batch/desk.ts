import { parse } from 'csv-parse/sync';
import { contentIdOf } from '../../../batch/csv/row';
import type { Row, Table } from '../../../batch/csv/table';
import type { Disk } from '../../../batch/folder/disk';
import type { ExitCode } from '../../../batch/exit-codes';
import { Journal } from '../../../batch/folder/journal/journal';
import type { Records } from '../../../batch/folder/records';
import { Events, JOURNAL_FORMAT, type Heard, type RunEnded } from '../../../batch/folder/events';
import { prepareRun } from '../../../batch/run/prepare';
import { lineFor, plainPaint } from '../../../batch/screen/event-lines';
import { carryOut } from '../../../batch/run/carry-out';
import type { RunEnvironment, RunRequest } from '../../../batch/run/request';
import type { RunOutcome } from '../../../batch/run/end-run';
import type { RecordedStop } from '../../../batch/stop';
import { BATCH_OUTAGE_MS } from '../../../service/assumptions';
import type { Clock } from '../../../service/api/ports';
import { BriefingService } from '../../../service/api/service';
import type { BriefInput } from '../../../service/api/resources';
import { journalIn } from './journal-events';
import { MemoryDisk } from './memory-disk';
import { settings } from './settings';
import type { ServiceRequest } from '../../../service/api/operations';
import type { Fault } from '../faults';
import { VirtualSandbox, type VirtualSandboxOptions } from '../virtual-sandbox';
import { VirtualClock } from '../virtual-clock';
import { stopOf } from '../../../batch/stop-of';

export const OUT = 'out';
export const JOURNAL = 'out/journal.jsonl';
export const BATCH = 'products.csv';

/** The settings of a run, unless a test says otherwise. */
export const SETTINGS = {
	...settings({ out: OUT, baseUrl: 'https://api.example/v1', name: 'Acme' }),
	reading: {},
	remembered: {},
	orderChanged: false,
	orderAgain: false,
	adopt: [],
	adoptChanged: false,
};

/** The journal under --out, with its first line. */
export async function openJournal(
	disk: Disk,
	clock: Clock,
	tell: Events['tell'] = () => undefined,
): Promise<Journal> {
	const journal = await Journal.open(disk, JOURNAL, () => clock.now(), tell);
	const first = { format: JOURNAL_FORMAT, batch: BATCH, base_url: SETTINGS.baseUrl };
	if (journal.records.batch === null) await journal.append({ event: 'batch', ...first });
	return journal;
}

/** A run as batch/commands/run.ts does it, from its first question to the service to its report. */
export async function wholeRun(
	request: RunRequest,
	env: RunEnvironment,
	beforeTheYes: () => Promise<unknown> = () => Promise.resolve(),
): Promise<RunOutcome> {
	const preparation = await prepareRun(request, env);
	await beforeTheYes();
	return await carryOut(preparation, request, env);
}

/** A row of the CSV by its product; an empty name makes an invalid row. */
export type Content = string | BriefInput;

export const inputOf = (content: Content): BriefInput =>
	typeof content === 'string' ? { product_name: content } : content;

export function tableOf(contents: readonly Content[]): Table {
	const rows = contents.map((one, index): Row => {
		const input = inputOf(one);
		const isValid = input.product_name !== '';
		return {
			number: index + 2,
			cells: [input.product_name],
			input,
			problems: isValid ? [] : [{ column: 'Product', what: 'is missing', cure: 'Give the name.' }],
			contentId: isValid ? contentIdOf(input) : '',
		};
	});
	return {
		file: BATCH,
		columns: ['Product'],
		delimiter: ',',
		headers: { product_name: 'Product' },
		map: [],
		set: {},
		notices: [],
		rows,
	};
}

/** Products of that many rows, all different. */
export const products = (n: number) => Array.from({ length: n }, (_, i) => `Product ${i + 1}`);

export interface Ran extends RunEnded {
	exitCode: ExitCode;
	/** Why it stopped early. */
	failure: RecordedStop | null;
	events: Heard[];
	/** The texts of the events that are notices. */
	notices: string[];
	records: Records;
	/** The exit code, and how many rows are at what status: "1: 4 ready, 1 parked". */
	tally: string;
}

function tallyOf({ end: { exit_code, counts } }: RunOutcome): string {
	const some = Object.entries(counts).filter(([, count]) => count > 0);
	return `${exit_code}: ${some.map(([status, count]) => `${count} ${status}`).join(', ')}`;
}

const REMARKS = ['notice', 'old_brief', 'files_removed', 'brief_gone'];

function noticesIn(events: readonly Heard[], records: Records): string[] {
	const run = { records, place: { outDir: OUT, lastCommand: records } };
	return events.flatMap((line) => {
		if (!REMARKS.includes(line.event)) return [];
		const said = lineFor(line, plainPaint, run);
		return typeof said === 'object' ? (said?.text ?? []) : said;
	});
}

/** Everything that runs of one batch need, in memory and in virtual time. */
export class Desk {
	readonly clock: VirtualClock;
	/** Another run goes on at the same time. */
	private isShared = false;
	readonly disk = new MemoryDisk();
	readonly service: VirtualSandbox;
	/** Called with each event of a run; tests step in here. */
	onEvent: (event: Heard) => void = () => undefined;
	interruption = new AbortController();
	/** What happens while a person thinks about what is about to be ordered. */
	beforeTheYes: (() => Promise<unknown>) | undefined;
	/** How the service shows what it answers. */
	bodyShown: (body: string) => string = (body) => body;

	/** @param beside another folder, whose runs go on at the same time with the same service */
	constructor(options: VirtualSandboxOptions = {}, start?: number, beside?: Desk) {
		this.clock = beside?.clock ?? new VirtualClock(start);
		this.service = beside?.service ?? new VirtualSandbox(this.clock, { latency: 300, ...options });
		if (beside !== undefined) this.isShared = beside.isShared = true;
	}

	/** One process: it opens the journal, runs and closes. What it throws is in the words of the command. */
	async run(
		contents: readonly Content[] | Table,
		options: Partial<Omit<RunRequest, 'table'>> = {},
	): Promise<Ran> {
		const { clock, disk } = this;
		const events: Heard[] = [];
		this.interruption = new AbortController();
		await disk.makeFolder(OUT);
		const hub = new Events();
		const journal = await openJournal(disk, clock, hub.tell);
		const listen = (event: Heard) => {
			events.push(event);
			this.onEvent(event);
		};
		const table = 'rows' in contents ? contents : tableOf(contents);
		const reading = { map: table.map, set: table.set };
		const request = { ...SETTINGS, reading, table, rows: table.rows, batch: BATCH, ...options };
		const service = new BriefingService(async (one, signal) => {
			const answer = await this.service.send(one, signal);
			return { ...answer, body: this.bodyShown(answer.body) };
		}, clock);
		const { signal: interruption } = this.interruption;
		const env = {
			service,
			clock,
			interruption,
			outage: BATCH_OUTAGE_MS,
			disk,
			journal,
			events: hub,
		};
		hub.listen(listen);
		const report = await wholeRun(request, env, this.beforeTheYes).catch((error: unknown) => {
			throw stopOf(error, service.now());
		});
		await journal.close().catch(() => undefined);
		if (!this.isShared) expect(clock.sleeping).toBe(0);
		const notices = noticesIn(events, this.records());
		const { end } = report;
		const ended = { ...end, exitCode: end.exit_code, failure: end.stop ?? null };
		return { ...ended, events, notices, records: this.records(), tally: tallyOf(report) };
	}

	/** From now on each request of this operation meets the fault, as long as `when` says so. */
	meet(
		operation: ServiceRequest['operation'],
		fault: Fault,
		when: (request: ServiceRequest) => boolean = () => true,
	): void {
		this.service.intercept = (request) =>
			request.operation === operation && when(request) ? fault : undefined;
	}

	/** Interrupts the next run this long after its nth event of this kind. */
	interruptAt(kind: Heard['event'], nth = 1, after = 0): void {
		let eventsSeen = 0;
		this.onEvent = ({ event }) => {
			if (event !== kind || (eventsSeen += 1) !== nth) return;
			this.onEvent = () => undefined;
			const { interruption } = this;
			if (after === 0) interruption.abort();
			else void this.clock.pass(after).then(() => interruption.abort());
		};
	}

	records(): Records {
		return journalIn(this.disk.bytes(JOURNAL), JOURNAL).records;
	}

	stages(): string[] {
		return this.records()
			.all()
			.map(({ state }) => state.stage);
	}

	/** results.csv, by product. */
	results(): Array<Record<string, string>> {
		return parse(this.disk.text('out/results.csv'), { columns: true, bom: true });
	}

	statuses(): Record<string, string> {
		return Object.fromEntries(
			this.results().map((row) => [row.Product ?? '', row.brief_status ?? '']),
		);
	}

	/** The briefs that were paid for, by product, in the order of creation. */
	paid(): string[] {
		return this.service.briefs.map(({ input }) => input.product_name);
	}

	/** P1 and P4. */
	expectSound(): void {
		const ours = this.service.briefs.filter(
			({ input }) => !input.product_name.startsWith('Somebody'),
		);
		const paid = ours.map(({ input }) => JSON.stringify(input));
		expect(paid).toHaveLength(new Set(paid).size);
		expect(this.service.mostRunning).toBeLessThanOrEqual(2);
	}
}

/** A create of this product. */
export const creates = (product: string) => (request: { operation: string; body?: string }) =>
	request.operation === 'create_brief' && request.body?.includes(JSON.stringify(product)) === true;
