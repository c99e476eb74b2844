import type { BriefSummary } from '../../../service/api/resources';
import type { Heard, EventOf, Line, OrderName } from '../../../batch/folder/events';
import { Records } from '../../../batch/folder/records';
import type { Console } from '../../../batch/screen/console';
import { aBrief } from '../builders';
import { entry, ROWS_TO_DO } from './journal-events';

export const TOLD_AT = '2026-11-20T09:00:00.000Z';

const named = (row: number, product_name = 'x') => ({
	at: TOLD_AT,
	key: `k${row}`,
	row,
	product_name,
});

/** The same by the clock on the wall, which a terminal shows. */
export const now = () => new Date().toISOString();

const brief = (facts: Partial<BriefSummary> = {}) => aBrief({ id: 'b', ...facts });

const ended = (row: number, status: 'ready' | 'failed', product_name: string, facts: object) => ({
	...entry.ended(status),
	...named(row, product_name),
	brief: { ...brief({ status }), error_code: null },
	...facts,
});

/** One line of each kind that a terminal shows, as plain as they can be. */
export const told = {
	started: ({ rows, ...facts }: Partial<EventOf<'run_started'>> = {}): Heard => ({
		at: TOLD_AT,
		...entry.started(),
		csv: 'b.csv',
		allowance: 50,
		used: 7,
		...facts,
		rows: { ...ROWS_TO_DO, all: 12, to_order: 8, to_resume: 1, done: 2, invalid: 1, ...rows },
	}),
	accepted: (row: number, product_name = 'Glow Serum', facts = {}): Heard => ({
		...entry.accepted(),
		...named(row, product_name),
		brief: brief({ status: 'queued' }),
		...facts,
	}),
	status: (row: number, status: string, product_name = 'x'): Heard => ({
		event: 'status',
		...named(row, product_name),
		brief: brief({ status }),
	}),
	/** Its end, and its files. */
	ready: (row: number, product_name = 'x', took_ms = 240_000): Heard[] => [
		ended(row, 'ready', product_name, { took_ms }),
		{ ...entry.filed(), ...named(row, product_name), file: 'x' },
	],
	failed: (row: number, product_name = 'x', error_code = 'c'): Heard =>
		ended(row, 'failed', product_name, { brief: { ...brief({ status: 'failed' }), error_code } }),
	parked: (row: number, product_name = 'x'): Heard => ({
		...entry.parked('', 'person'),
		...named(row, product_name),
	}),
	others: (others_running: number): Heard => ({
		at: TOLD_AT,
		event: 'others_running',
		others_running,
	}),
};

const PLACE = { outDir: 'briefs', lastCommand: { lastCsv: 'b.csv', lastOptions: [] } };

/** A run as a console shows it: what it is told is on record, if that is kept. */
export class ToldRun {
	readonly records = new Records();
	readonly place = PLACE;
	private readonly names = new Map<string, OrderName>();
	readonly nameOf = (key: string) => this.names.get(key);

	constructor(private readonly console?: Console) {
		this.records.batch = 'b';
		if (console === undefined) return;
		console.events.nameOf = this.nameOf;
		console.showRun(this);
	}

	tell(...lines: Heard[]): this {
		for (const line of lines) this.hear(line);
		return this;
	}

	private hear(line: Heard): void {
		const { records } = this;
		if ('key' in line && records.withKey(line.key) === undefined) {
			const { key, row, product_name = '' } = line;
			this.names.set(key, { ...(row !== undefined && { row }), product_name });
			const ordered = { event: 'ordered', key, content_id: key, try: 1 } as const;
			records.apply({ at: line.at, ...ordered, product_name, content: {} });
		}
		if (line.event === 'status') records.see(line.key, line.brief);
		else records.apply(line as Line);
		this.console?.events.tell(line);
	}
}
