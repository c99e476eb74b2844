import { win32 } from 'node:path';
import type { RecordStage } from '../../../service/order/life';
import { newRecord, type BriefRecord, type RunStart } from './brief-record';
import type { JournalEvent, LongWait, RowRef } from './journal-events';

type NotBegun = Extract<JournalEvent, { type: 'not_begun' }>;

export type LastRun = Extract<JournalEvent, { type: 'run_ended' }>;

/** The reason code of a row whose creates were never answered. */
export const NO_ANSWER = 'no_answer';

/** Says whether anything may have come of an order. */
export function hasArrived({ stage, unsent }: BriefRecord): boolean {
	return stage !== 'to_order' && unsent !== true;
}

/** Gives a path without its folders, from any operating system. */
export function fileNameOf(path: string): string {
	return win32.basename(path);
}

/** The state that the journal's events add up to. */
export class Records {
	batch: string | null = null;
	baseUrl: string | null = null;
	lastRun: LastRun | null = null;
	/** A run has begun and its end is not on record: it is still at work, or was cut off. */
	isUnderWay = false;
	/** For what the run waited last; it may be over by now. Null once it has ordered again, or has ended. */
	longWait: LongWait | null = null;
	/** The marks that earlier runs have reported, and their exit codes (batch/plan/marks.ts). */
	readonly reportedMarks = new Map<string, Set<number>>();
	/** The newest run that began: results.csv lists the rows of its CSV. */
	run: RunStart | undefined;
	/** The last run of each CSV, by its name. */
	private readonly runs = new Map<string, RunStart>();
	/** Set if the newest run could not begin. */
	notBegun: NotBegun | null = null;
	private readonly byKey = new Map<string, BriefRecord>();
	private readonly byRow = new Map<string, BriefRecord>();
	/** The order that has each brief, by the ID of the brief. */
	private readonly byBrief = new Map<string, BriefRecord>();
	private readonly ordersInDoubt = new Set<BriefRecord>();
	/** The names of all briefs' files. */
	private readonly files = new Set<string>();

	/** The CSV of the newest run that began: the rows on record are its rows. If none has begun, of the one that could not. */
	get lastCsv(): string | null {
		return (this.run ?? this.notBegun)?.csv ?? null;
	}

	/** Gives what was typed for that run besides --out. */
	get lastOptions(): RunStart['options'] {
		return (this.run ?? this.notBegun)?.options ?? [];
	}

	/** Gives the last run of a CSV, by its name. */
	runOf(csv: string): RunStart | undefined {
		return this.runs.get(csv);
	}

	/** Gives the last run of each CSV. */
	lastRuns(): RunStart[] {
		return [...this.runs.values()];
	}

	/** Gives the order that has a brief. */
	ownerOf(briefId: string): BriefRecord | undefined {
		return this.byBrief.get(briefId);
	}

	/** Gives the order with a key. */
	withKey(key: string | undefined): BriefRecord | undefined {
		return key === undefined ? undefined : this.byKey.get(key);
	}

	/** Gives the newest try of a row, or undefined before the first. */
	of(row: string): BriefRecord | undefined {
		return this.byRow.get(row);
	}

	/** Gives the try before this one: of the same row, or of what the row was before a person edited it. */
	tryBefore({ key, row, generation }: RowRef & { key: string }): BriefRecord | undefined {
		const isBefore = (one: RowRef) => one.row === row && one.generation === generation - 1;
		return this.all().find(isBefore) ?? this.withKey(this.withKey(key)?.instead_of);
	}

	/** Gives every try of every row, oldest first. */
	all(): BriefRecord[] {
		return [...this.byKey.values()];
	}

	/** Gives the newest try of each row. */
	newestTries(): BriefRecord[] {
		return this.all().filter((record) => this.of(record.row) === record);
	}

	/**
	 * Says whether a later order took the place of this one: another try of its row, or one of what its row became. A try
	 * that never arrived replaces nothing.
	 */
	isReplaced({ replaced_by }: BriefRecord): boolean {
		const later = this.withKey(replaced_by);
		return later !== undefined && (hasArrived(later) || this.isReplaced(later));
	}

	/** Gives the orders that were sent, or about to be, without an answer on record. */
	inDoubt(): BriefRecord[] {
		return [...this.ordersInDoubt];
	}

	/** Says whether the name belongs to the files of an order, other than the one of this key. */
	isNameTaken(file: string, key?: string): boolean {
		return this.files.has(file) && this.withKey(key)?.file !== file;
	}

	apply(event: JournalEvent): void {
		this.take(event);
		const record = 'key' in event ? this.byKey.get(event.key) : undefined;
		if (record === undefined) return;
		if (record.stage === 'in_doubt') this.ordersInDoubt.add(record);
		else this.ordersInDoubt.delete(record);
	}

	private take(event: JournalEvent): void {
		switch (event.type) {
			case 'batch':
				this.batch = event.batch;
				this.baseUrl = event.base_url;
				return;
			case 'run_started': {
				const { at, csv, set = {}, options = [], headers = {}, form } = event;
				this.isUnderWay = true;
				this.longWait = null;
				this.notBegun = null;
				this.run = { at, csv, set, options, headers, form };
				this.runs.set(fileNameOf(csv), this.run);
				return;
			}
			case 'not_begun':
				this.notBegun = event;
				this.longWait = null;
				return;
			case 'run_ended':
				this.lastRun = event;
				this.isUnderWay = false;
				this.longWait = null;
				if (event.outcome !== 'interrupted') this.leaveInDoubt();
				return;
			case 'waiting':
				this.longWait = event.wait;
				return;
			case 'reported':
				for (const mark of event.marks)
					this.reportedMarks.set(mark, new Set(this.reportedMarks.get(mark)).add(event.exit_code));
				return;
			case 'restarted':
				return this.replace(this.add(event, 'to_order'), event.instead_of);
			case 'intent':
				this.longWait = null;
				return this.intend(event);
			case 'adopted': {
				const { brief_id, brief_of, created_at, at } = event;
				const facts = { brief_id, brief_of, created_at, accepted_at: at, adopted: true } as const;
				const record = Object.assign(this.add(event, 'running'), facts);
				this.byBrief.set(brief_id, record);
				return this.describe(record, event);
			}
			case 'parked_unsent':
				Object.assign(this.add(event, 'parked'), { unsent: true, cause: event.cause });
				return;
			case 'withdrawn':
				return this.changeUnpaid(event.key, { stage: 'to_order', is_left: false });
			case 'accepted':
				this.noteOwner(event);
				return this.change(event.key, {
					stage: 'running',
					brief_id: event.brief_id,
					brief_of: event.brief_of,
					adopted: event.adopted,
					accepted_at: event.at,
					cause: null,
				});
			case 'refused':
				return this.changeUnpaid(event.key, {
					stage: 'refused',
					error_code: event.answer.code ?? event.answer.kind,
					cause: { reason: 'refused', answer: event.answer },
					ended_at: event.at,
				});
			case 'unanswered':
				return this.changeUnpaid(event.key, {
					stage: 'refused',
					error_code: NO_ANSWER,
					cause: { reason: 'unanswered', runs: event.runs },
					ended_at: event.at,
				});
			case 'ended': {
				const { status, title, url, error_code, created_at, finished_at, took_ms, at } = event;
				const stage = status === 'ready' ? 'ended' : 'done';
				const facts = {
					ended_as: status,
					title,
					url,
					error_code,
					created_at,
					finished_at,
					took_ms,
				};
				const cause = status === 'ready' ? null : ({ reason: 'not_written', error_code } as const);
				return this.change(event.key, { stage, ...facts, ended_at: at, cause });
			}
			case 'written':
				this.files.add(event.file);
				return this.change(event.key, { stage: 'done', file: event.file });
			case 'parked':
				return this.change(event.key, { stage: 'parked', cause: event.cause });
			// An unknown event changes nothing. If it did, the format would have another number.
			default:
				return;
		}
	}

	/** Counts a run that came to its end without an answer to these orders. One that was cut off may not have heard it. */
	private leaveInDoubt(): void {
		for (const record of this.ordersInDoubt) {
			if (record.is_left) continue;
			record.is_left = true;
			record.runs_unanswered += 1;
		}
	}

	private noteOwner({ brief_id, key }: Extract<JournalEvent, { type: 'accepted' }>): void {
		const record = this.byKey.get(key);
		if (record !== undefined) this.byBrief.set(brief_id, record);
	}

	private intend(event: Extract<JournalEvent, { type: 'intent' }>): void {
		const record = this.byKey.get(event.key);
		if (record === undefined || record.unsent === true)
			return this.describe(this.add(event, 'in_doubt'), event);
		if (record.brief_id === null) {
			record.stage = 'in_doubt';
			record.service_time ??= event.service_time;
			record.last_tried = event.at;
			record.last_service_time = event.service_time;
		}
		record.id = event.id ?? record.id;
		this.describe(record, event);
	}

	/** Adds its content, and the order that it replaces. */
	private describe(
		record: BriefRecord,
		{ content, instead_of }: Extract<JournalEvent, { type: 'intent' | 'adopted' }>,
	): void {
		if (content !== undefined && record.content === undefined) {
			record.content = content;
			record.run = this.run;
		}
		this.replace(record, instead_of);
	}

	private replace(record: BriefRecord, instead_of: string | undefined): void {
		if (instead_of === undefined) return;
		record.instead_of = instead_of;
		this.change(instead_of, { replaced_by: record.key });
	}

	private add(event: Parameters<typeof newRecord>[0], stage: RecordStage): BriefRecord {
		const record = newRecord(event, stage);
		const before = this.byRow.get(record.row);
		if (before !== undefined && before.key !== record.key) before.replaced_by = record.key;
		this.byKey.set(record.key, record);
		this.byRow.set(record.row, record);
		return record;
	}

	/** Changes an order without a brief. Once a row's brief is known it is paid for, and nothing lets the row be ordered again (P1). */
	private changeUnpaid(key: string, facts: Partial<BriefRecord>): void {
		if (this.byKey.get(key)?.brief_id === null) this.change(key, facts);
	}

	private change(key: string, facts: Partial<BriefRecord>): void {
		const record = this.byKey.get(key);
		if (record !== undefined) Object.assign(record, facts);
	}
}
