import type { OwnersOnRecord } from '../../../batch/order/brief-owners';
import type { OrderOf } from '../../../batch/folder/events';
import {
	NEW_ORDER,
	type EventType,
	type LastingEvent,
	type OrderEvent,
	type OrderState,
} from '../../../service/order/life';
import type { recall, RecordedEvent } from '../../../service/order/recall';
import { momentText } from '../../../service/order/times';
import { INPUT } from './answers';
import { NOW } from './clocks';
import { BRIEFS, idOf, MAX_TRIES, type Adversary, type Ref, type Row, type State } from './state';

type Recall = typeof recall;

/** What is on record of a row that has come so far, in as few events as possible. */
function eventsOf({ record, recordBrief }: Row): readonly RecordedEvent[] {
	const accepted: RecordedEvent[] =
		recordBrief === null ? [] : [{ event: 'accepted', brief: BRIEFS[recordBrief], found: false }];
	return record === 'none' ? accepted : [INTENDED, ...accepted, ...LAST[record]];
}

const INTENDED = { event: 'intended', ...momentText(NOW), briefs_known: 0 } as const;

const LAST: Readonly<Record<Exclude<Row['record'], 'none'>, readonly RecordedEvent[]>> = {
	in_doubt: [],
	running: [],
	to_order: [{ event: 'withdrawn', why: '' }],
	listed: [{ event: 'parked', reason: 'listed' }],
	parked: [{ event: 'parked', reason: 'unclear' }],
	done: [{ event: 'filed' }],
	refused: [{ event: 'refused' }],
};

/** The order as another process finds it, by the real rule; the row distinguishes ages. */
export function orderOf(row: Row, rule: Recall): OrderState {
	const order = eventsOf(row).reduce(rule, NEW_ORDER);
	const { runsUnanswered } = row;
	const isUntried = row.firstTried === 'none';
	return { ...order, runsUnanswered, ...(isUntried && { firstTried: null, lastTried: null }) };
}

/** What is on record after an event. */
export function recorded(row: Row, event: OrderEvent, rule: Recall): Partial<Row> {
	if (!isRecorded(event)) return {};
	const before = orderOf(row, rule);
	const after = rule(before, event);
	if (after === before) return {};
	const wasLost = row.wasLost || (event.event === 'withdrawn' && row.order?.inDoubt === true);
	const isLeft = row.isLeft && event.event !== 'withdrawn';
	const recordBrief = after.briefId as Ref | null;
	const isHeld = event.event === 'parked' && after.stage === 'to_order';
	const record = isHeld ? 'listed' : (after.stage as Row['record']);
	return { record, recordBrief, wasLost, isLeft };
}

/** Of what follows a brief, the keeper puts on record what must be: that it is filed, or parked. */
function isRecorded(event: OrderEvent): event is LastingEvent | { event: 'filed' } {
	return ON_RECORD.has(event.event);
}

const ON_RECORD: ReadonlySet<EventType> = new Set([
	...(['intended', 'accepted', 'withdrawn', 'refused', 'unanswered', 'parked', 'filed'] as const),
]);

/** As batch/folder/records.ts counts a run that has ended. More than are allowed make no difference. */
export function leftInDoubt({ runsUnanswered }: Row): Partial<Row> {
	return { isLeft: true, runsUnanswered: Math.min(runsUnanswered + 1, MAX_TRIES) };
}

/** The order of a row, as it is called in each CSV. */
export function orderAt(index: number, { isSameContent, isSameProduct }: Adversary): OrderOf {
	return {
		key: `order ${index}`,
		content_id: isSameContent ? '' : `${index}`,
		try: 1,
		product_name: isSameProduct ? INPUT.product_name : 'Oil'.repeat(index + 1),
	};
}

/** What the journal says of whose each brief is, and which orders are in doubt. */
export function recordsOf({ rows }: State, adversary: Adversary): OwnersOnRecord {
	const ordersOf = (holds: (row: Row, index: number) => boolean) =>
		rows.flatMap((row, index) => (holds(row, index) ? [orderAt(index, adversary)] : []));
	return {
		ownerOf: (id) =>
			ordersOf((row, index) => row.recordBrief !== null && idOf(index, row.recordBrief) === id)[0],
		inDoubt: () => ordersOf(({ record }) => record === 'in_doubt'),
	};
}
