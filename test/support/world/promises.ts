import { parse } from 'csv-parse/sync';
import { endedAs, type Order, type Records, statusOf } from '../../../batch/folder/records';
import { isForLater } from '../../../batch/folder/journal/causes';
import { contentIdOf } from '../../../batch/csv/row';
import { RESULT_COLUMNS, WHY_COLUMNS } from '../../../batch/results/result-columns';
import { monthStart } from '../../../service/list/month';
import { checkInput } from '../../../service/input/input';
import { isRunning, type Brief, type BriefInput } from '../../../service/api/resources';
import { inputOf, JOURNAL, type Content } from '../batch/desk';
import { type Past, type World } from './world';
import { MINUTE, SECOND } from '../time';

/** How long a look at the list is believed, and how long an order is on its way. */
const LOOK_IS_FRESH_MS = 17 * SECOND;
/** A brief that has run for longer is not believed to hold a slot: twice the time-out of the runs. */
const SLOT_HELD_MS = 60 * MINUTE;
/** Whoever orders has looked at the list within this time. */
const LOOKS_EVERY_MS = 2 * MINUTE;

/**
 * The promises of docs/reliability.md, held against what the service, the disk and the journal really are. Made for one
 * world; called after each thing that happens in it. Every broken promise is an error that names it.
 */
export class Promises {
	/** Briefs that a run has spoken of, so that they were on record: nothing may unlearn them. */
	private readonly knownIds = new Set<string>();
	private readonly keys = new Map<string, Set<string>>();
	private requestsSeen = 0;
	private pastSeen = 0;
	private briefsSeen = 0;
	/** How many retries were asked for: a row can have one key more for each. */
	private retries = 0;

	constructor(private readonly world: World) {}

	check(): void {
		const { past } = this.world;
		for (; this.pastSeen < past.length; this.pastSeen += 1) {
			const run = past[this.pastSeen]!;
			if (run.start.retry === true || run.start.orderAgain === true) this.retries += 1;
			this.nothingBeyondTheAllowance(run);
			this.nothingPaidAgainByAnEdit(run);
			this.eachListIsWaitedForOnce(run);
			for (const event of run.events) {
				if (event.event === 'accepted') this.knownIds.add(event.brief.id);
			}
		}
		this.nothingPaidTwice();
		this.sameKeys();
		this.twoAtATime();
		this.journalReads();
		this.filesAreWhole();
	}

	/** P1 */
	private nothingPaidTwice(): void {
		const keys = this.world.paid().map(({ key }) => key);
		const twice = keys.find((key, index) => keys.indexOf(key) !== index);
		if (twice !== undefined) breach('P1', `the key ${twice} was paid twice`);
	}

	/** P7, and P1 once more: no row gets another key than its generations allow. */
	private sameKeys(): void {
		const { requests } = this.world.service;
		for (; this.requestsSeen < requests.length; this.requestsSeen += 1) {
			const { operation, headers, body = '' } = requests[this.requestsSeen]!;
			if (operation !== 'create_brief') continue;
			const key = headers['idempotency-key'] ?? '';
			const { idempotency_key, ...input } = JSON.parse(body) as Record<string, unknown>;
			if (idempotency_key !== key) breach('P1', 'header and body have different keys');
			const content = JSON.stringify(input);
			const keys = this.keys.get(content) ?? new Set();
			this.keys.set(content, keys.add(key));
			if (keys.size > 1 + this.retries) breach('P7', `${content} has the keys ${[...keys].join()}`);
		}
	}

	/** P4: never more than two of the batch's own; and those of others that could be known leave as much less. */
	private twoAtATime(): void {
		const { briefs } = this.world.service;
		const { options, onTheWay } = this.world;
		const late = LOOK_IS_FRESH_MS + (options.listLag ?? 0) + 2 * onTheWay;
		for (; this.briefsSeen < briefs.length; this.briefsSeen += 1) {
			const brief = briefs[this.briefsSeen]!;
			// By a clock that jumped ahead, a brief has run for so long that it is not believed to hold a slot.
			if (brief.key === '' || this.world.service.dateAhead > 0) continue;
			const takenAt = this.slotTakenAt(brief);
			const before = briefs
				.slice(0, this.briefsSeen)
				.filter(({ ended }) => ended > brief.created)
				.filter(({ created }) => created >= takenAt - SLOT_HELD_MS)
				.filter(({ key, created }) => key !== '' || created < takenAt - late);
			if (before.length > 1)
				breach('P4', `brief ${this.briefsSeen} was ordered while ${before.length} ran`);
		}
	}

	/**
	 * When the slot was taken: an order without an answer keeps it until it has one, for its brief may run. Before that a
	 * rate limit gives it back.
	 */
	private slotTakenAt({ key, created }: { key: string; created: number }): number {
		const { past, service } = this.world;
		const from = past.filter(({ began }) => began <= created).at(-1)?.requests.from;
		const tries = service.requests
			.slice(from)
			.filter(({ headers, at }) => headers['idempotency-key'] === key && at <= created);
		return tries.find(({ status }) => status !== 429)?.at ?? created;
	}

	/** P5: a run that could know that the month is used up orders nothing more in it. */
	private nothingBeyondTheAllowance({ requests: { from, to }, start, began, before }: Past): void {
		const { service, options, onTheWay } = this.world;
		const { allowance = 1000, ahead = 0, listLag = 0, writtenAhead = 0 } = options;
		// Which month it is, and in which a brief counts, is known only from clocks.
		if (writtenAhead !== 0 || this.world.service.dateAhead !== 0) return;
		const month = (time: number) => monthStart(time + ahead);
		const refused = new Map<number, number>();
		// A machine that slept knows what it knew before.
		const asleep = start.sleepMs ?? 0;
		// An order on record without an answer may have been sent, whether the service ever saw it or not.
		const sentKeys = new Set([
			...before.all().flatMap(({ key, state }) => (state.stage === 'in_doubt' ? [key] : [])),
			...service.requests.slice(0, from).map(({ headers }) => headers['idempotency-key']),
		]);
		for (const { at, refusal = '', headers } of service.creates(from, to)) {
			const key = headers['idempotency-key'];
			const used = service.briefs.filter(
				({ id, created }) =>
					month(created) === month(at) &&
					// Either the journal shows it, or the list.
					((created < began && this.knownIds.has(id)) ||
						created < at - listLag - LOOKS_EVERY_MS - asleep - 2 * onTheWay),
			);
			// An order that was sent before may be paid already, and is only asked for again.
			const isNew = !sentKeys.has(key);
			sentKeys.add(key);
			if (isNew && used.length >= allowance - (start.keep ?? 0)) {
				breach('P5', `an order was sent at ${at} with ${used.length} of ${allowance} used`);
			}
			const refusedAt = refused.get(month(at));
			if (isNew && refusedAt !== undefined && at - refusedAt > SECOND + 2 * onTheWay) {
				breach('P5', `an order was sent at ${at} although the service refused one at ${refusedAt}`);
			}
			if (refusal.includes('allowance')) refused.set(month(at), at);
		}
	}

	/**
	 * P10: of a product as many rows stay unordered as there are orders that may have a brief and whose row is gone, unless
	 * a person asked for them.
	 */
	private nothingPaidAgainByAnEdit({ start, rows, before, after, requests: { from, to } }: Past) {
		if (start.orderChanged === true || start.orderAgain === true) return;
		const inCsv = new Map(rows.map((row) => [idOfRow(row), inputOf(row).product_name]));
		const sentIds = this.world.service
			.creates(from, to)
			.map(({ body = '' }) => idOfRow(JSON.parse(body) as BriefInput));
		// Also what was asked for by name, with a retry, is known.
		const isOpen = (id: string) => {
			const record = after.of(id);
			const known = before.of(id);
			const isKnown = known !== undefined && known.state.stage !== 'to_order';
			return !isKnown && (record?.try ?? 1) === 1;
		};
		for (const product of new Set(inCsv.values())) {
			const ids = [...inCsv].filter(([, name]) => name === product).map(([id]) => id);
			const open = ids.filter(isOpen);
			const orderedIds = open.filter((id) => sentIds.includes(id)).length;
			const ordersWithoutRow = before
				.all()
				.filter(
					(record) =>
						record.product_name === product &&
						!inCsv.has(record.content_id) &&
						mayHaveBrief(record, before) &&
						mayHaveBrief(record, after),
				).length;
			if (orderedIds > Math.max(0, open.length - ordersWithoutRow))
				breach(
					'P10',
					`${product} was ordered again: ${ordersWithoutRow} orders of it are paid for`,
				);
		}
	}

	/** P11: a run waits for the list once for each order, unless clocks or the machine made it late. */
	private eachListIsWaitedForOnce({ events, start }: Past): void {
		const { skew, service } = this.world;
		const areClocksRight = skew === 0 && service.dateAhead === 0;
		if (start.sleepMs !== undefined || start.heldUpMs !== undefined || !areClocksRight) return;
		const keys = events.flatMap((event) =>
			event.event === 'waits' && event.for === 'list' && isLong(event) ? [event.key] : [],
		);
		const twice = keys.find((key, index) => keys.indexOf(key) !== index);
		if (twice !== undefined) breach('P11', `one run waited for the list twice for ${twice}`);
	}

	/** P3; and what was once learnt of a paid brief stays known (P2). */
	private journalReads(): void {
		const { disk } = this.world;
		if (!disk.files().includes(JOURNAL)) {
			if (this.knownIds.size > 0) breach('P2', 'the journal is gone');
			return;
		}
		const records = this.world.records().all();
		const ids = new Set(records.map(({ state }) => state.briefId));
		for (const id of this.knownIds) {
			if (!ids.has(id)) breach('P2', `the journal has forgotten brief ${id}`);
		}
	}

	/** P6 */
	private filesAreWhole(): void {
		const { disk } = this.world;
		for (const path of disk.files()) {
			const text = disk.text(path);
			const isWhole =
				!/\.(md|csv|html|json)$/.test(path) ||
				(path.endsWith('.md') && text === '# A brief\n') ||
				(path.endsWith('.html') && text.trimEnd().endsWith('</html>')) ||
				(path.endsWith('.json') && isJson(text)) ||
				(path.endsWith('.csv') && isTable(text, path.startsWith('out/results')));
			if (!isWhole) breach('P6', `${path} is not whole: …${text.slice(-60)}`);
		}
	}

	/** When all is over: each brief of the batch is in a file or in a named record, and each row at an end (P2). */
	checkEnd(): void {
		const { world } = this;
		this.check();
		const records = world.records().all();
		for (const { id, key } of world.paid()) {
			const record = records.find(({ state }) => state.briefId === id);
			if (record === undefined) {
				const ownRecord = records.find((one) => one.key === key);
				const isNamed =
					ownRecord?.state.stage === 'parked' &&
					ownRecord.cause !== null &&
					!isForLater(ownRecord.cause);
				if (!isNamed) breach('P2', `brief ${id} is lost: ${JSON.stringify(ownRecord)}`);
			} else if (!isAtEnd(world, record)) breach('P2', `brief ${id} stays ${record.state.stage}`);
		}
		const ids = records.flatMap(({ state }) => state.briefId ?? []);
		if (new Set(ids).size < ids.length) breach('P2', 'one brief belongs to two rows');
	}
}

/** A wait that is over in a moment is the end of the one before, by the time of another answer. */
function isLong({ since, until }: { since: string; until: string }): boolean {
	return Date.parse(until) - Date.parse(since) > MINUTE;
}

/** As the journal names the row. */
function idOfRow(row: Content): string {
	return contentIdOf(checkInput(inputOf(row)).input);
}

/**
 * Whether an order may have a brief, and no other one has come to anything that was asked for in its place: another try of
 * its row, or the order of what its row became.
 */
function mayHaveBrief({ key, content_id, try: n }: Order, records: Records): boolean {
	const now = records.withKey(key);
	const isReplaced = records
		.all()
		.filter((one) => one.instead_of === key || (one.content_id === content_id && one.try > n))
		.some(({ state }) => state.stage !== 'to_order');
	return now !== undefined && !isReplaced && isPaid(now);
}

function isPaid(record: Order): boolean {
	return record.state.stage !== 'to_order' && statusOf(record) !== 'failed';
}

function isAtEnd({ disk, service }: World, record: Order): boolean {
	const { stage, briefId } = record.state;
	if (stage === 'parked') return record.cause !== null;
	if (stage !== 'done') return false;
	if (endedAs(record) === 'failed') return true;
	const path = `out/results/${record.file ?? ''}`;
	const brief = JSON.parse(disk.text(`${path}.json`)) as Brief;
	const isKnown = service.briefs.some(({ id }) => id === brief.id);
	return isKnown && brief.id === briefId && !isRunning(brief) && disk.text(`${path}.md`) !== '';
}

function isJson(text: string): boolean {
	try {
		return typeof (JSON.parse(text) as { id: unknown }).id === 'string';
	} catch {
		return false;
	}
}

function isTable(text: string, isResults: boolean): boolean {
	if (!text.endsWith('\n')) return false;
	const form = { relax_column_count: true, bom: true, record_delimiter: '\n' };
	const [header = [], ...rows] = parse(text, form);
	const width = 1 + (isResults ? RESULT_COLUMNS : WHY_COLUMNS).length;
	return header.length === width && rows.length > 0 && rows.every((row) => row.length === width);
}

function breach(promise: string, how: string): never {
	throw new Error(`${promise} is broken: ${how}`);
}
