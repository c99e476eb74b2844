import { win32 } from 'node:path';
import type { RecordStage } from '../../../service/order/life';
import type { BriefSummary } from '../../../service/api/resources';
import { recall, type RecordedEvent } from '../../../service/order/recall';
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
				const { at, csv, options = [], product_column: productColumn } = event;
				const { map, set, where, id, delimiter, encoding } = event;
				const reading = { map, set, where, id, delimiter, encoding };
				this.isUnderWay = true;
				this.longWait = null;
				this.notBegun = null;
				this.run = { at, csv, options, reading, productColumn };
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
				return this.replace(this.add(event), event.instead_of);
			case 'intent':
				this.longWait = null;
				return this.intend(event);
			case 'adopted': {
				const { brief_id, brief_of, created_at, at } = event;
				const facts = { brief_id, brief_of, created_at, accepted_at: at, adopted: true } as const;
				const record = Object.assign(this.add(event), facts);
				this.happen(record, acceptance(brief_id));
				this.byBrief.set(brief_id, record);
				return this.describe(record, event);
			}
			case 'parked_unsent':
				Object.assign(this.add(event), { stage: 'parked', unsent: true, cause: event.cause });
				return;
			case 'withdrawn':
				return this.change(event, { type: 'withdrawn', why: event.why }, { is_left: false });
			case 'accepted': {
				const { brief_id, brief_of, adopted, at } = event;
				this.noteOwner(event);
				const facts = { brief_id, brief_of, adopted, accepted_at: at, cause: null };
				return this.change(event, acceptance(brief_id), facts);
			}
			case 'refused':
				return this.change(event, event, {
					error_code: event.answer.code ?? event.answer.kind,
					cause: { reason: 'refused', answer: event.answer },
					ended_at: event.at,
				});
			case 'unanswered':
				return this.change(event, event, {
					error_code: NO_ANSWER,
					cause: { reason: 'unanswered', runs: event.runs },
					ended_at: event.at,
				});
			case 'ended': {
				const { status, title, url, error_code, created_at, finished_at, took_ms, at } = event;
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
				return this.change(event, event, { ...facts, ended_at: at, cause });
			}
			case 'numbered':
				for (const [key, id] of Object.entries(event.numbers)) {
					const record = this.byKey.get(key);
					if (record !== undefined) record.id = id;
				}
				return;
			case 'written':
				this.files.add(event.file);
				return this.change(event, { type: 'filed' }, { file: event.file });
			case 'parked':
				return this.change(event, { type: 'parked', reason: 'unclear' }, { cause: event.cause });
			// An unknown event changes nothing. If it did, the format would have another number.
			default:
				return;
		}
	}

	/** Counts a run that came to its end without an answer to these orders. One that was cut off may not have heard it. */
	private leaveInDoubt(): void {
		for (const record of this.ordersInDoubt) {
			if (record.is_left) continue;
			const { state } = record;
			record.is_left = true;
			record.state = { ...state, runsUnanswered: state.runsUnanswered + 1 };
		}
	}

	private noteOwner({ brief_id, key }: Extract<JournalEvent, { type: 'accepted' }>): void {
		const record = this.byKey.get(key);
		if (record !== undefined) this.byBrief.set(brief_id, record);
	}

	private intend(event: Extract<JournalEvent, { type: 'intent' }>): void {
		const record = this.byKey.get(event.key);
		const order = record === undefined || record.unsent === true ? this.add(event) : record;
		const at = { service: Date.parse(event.service_time), machine: Date.parse(event.at) };
		this.happen(order, { type: 'intended', at, briefsKnown: 0 });
		order.id = event.id ?? order.id;
		order.listed_before = event.listed ?? order.listed_before;
		this.describe(order, event);
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
		const replacedOrder = this.byKey.get(instead_of);
		if (replacedOrder !== undefined) replacedOrder.replaced_by = record.key;
	}

	private add(event: Parameters<typeof newRecord>[0]): BriefRecord {
		const record = newRecord(event);
		const before = this.byRow.get(record.row);
		if (before !== undefined && before.key !== record.key) before.replaced_by = record.key;
		this.byKey.set(record.key, record);
		this.byRow.set(record.row, record);
		return record;
	}

	/** Takes in what happened to an order, with its facts, unless that changes nothing any more. */
	private change(
		{ key }: { key: string },
		event: RecordedEvent,
		facts: Partial<BriefRecord>,
	): void {
		const record = this.byKey.get(key);
		if (record !== undefined && this.happen(record, event)) Object.assign(record, facts);
	}

	/** @returns false if it comes too late to change anything */
	private happen(record: BriefRecord, event: RecordedEvent): boolean {
		const { state } = record;
		record.state = recall(state, event);
		record.stage = record.state.stage as RecordStage;
		return record.state !== state;
	}
}

/** Of the brief only its ID is on record with its acceptance. */
function acceptance(id: string): RecordedEvent {
	return { type: 'accepted', brief: { id } as BriefSummary, isFound: false };
}
