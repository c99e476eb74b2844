import {
	BriefOrder,
	type BriefRequest,
	type WorkspaceList,
} from '../../../service/order/brief-order';
import { ALONE, type OrderingEnd } from '../../../service/order/decide';
import { OrderDriver, type CarryOptions } from '../../../service/order/driver';
import type { OrderDependencies } from '../../../service/order/facts';
import type { OrderShell } from '../../../service/order/shell';
import {
	type LastingEvent,
	type Part,
	type OrderEvent,
	type PassingEvent,
	NEW_ORDER,
	type OrderState,
} from '../../../service/order/life';
import { BriefPoller } from '../../../service/watch/poller';
import { DEFAULT_POLL_INTERVAL } from '../../../service/api/poll-interval';
import type { BriefInput } from '../../../service/api/resources';
import { BriefingService } from '../../../service/api/service';
import { Workspace } from '../../../service/watch/workspace';
import { VirtualSandbox, type VirtualSandboxOptions } from '../virtual-sandbox';
import { failureOf } from '../failure-of';
import { rateLimit } from '../faults';
import { VirtualClock } from '../virtual-clock';
import { MINUTE, SECOND } from '../time';

export type RigOptions = VirtualSandboxOptions &
	Partial<ConstructorParameters<typeof BriefPoller>[3]> & { leaveSlots?: number };

let clocks: VirtualClock[] = [];
afterEach(() => {
	for (const clock of clocks) clock.stop();
	clocks = [];
});

/** Everything that takes part in the life of briefs, on a virtual clock. */
export function rig(options: RigOptions = {}) {
	const clock = new VirtualClock();
	clocks.push(clock);
	const memory = new VirtualSandbox(clock, options);
	const service = new BriefingService(memory.send, clock);
	const workspace = new Workspace(options.leaveSlots);
	const poller = new BriefPoller(service, clock, workspace, {
		interval: DEFAULT_POLL_INTERVAL,
		patience: 10 * MINUTE,
		...options,
	});
	const tools = { service, poller, workspace, clock };
	/** What becomes of one order of a process without a record. */
	const place = async (name: string, { list, ...rest }: Placed = {}) => {
		return await new BriefOrder(wantedBrief(name, rest), tools, list).place(rest);
	};
	const create = async (name = 'Lamp', placed?: Placed) => {
		const outcome = await place(name, placed);
		if ('mayExist' in outcome) throw new Error('A brief that was ordered before');
		return outcome.brief;
	};
	/** Carries an order that an earlier run may have left, and lets a test step in. */
	const carry = async (name: string, { order = NEW_ORDER, signal, ...rest }: Carried = {}) => {
		const driver = new OrderDriver(order, testShell(name, tools, rest), tools, rest);
		await driver.carryOn(rest.last ?? 'file', signal);
		return driver.order;
	};
	const start = clock.now();
	/** Time since the start, in seconds. */
	const time = () => (clock.now() - start) / SECOND;
	/** The seconds from each create to the next. */
	const gaps = () =>
		memory.creates().map(({ at }, i, all) => (at - (all[i - 1]?.at ?? at)) / SECOND);
	/** Starts briefs of others. */
	const others = (...durations: number[]) => durations.map((ms) => memory.startOther(ms));
	/** The service declares a rate limit, which another request meets. */
	const meetLimit = async (seconds: number) => {
		memory.fail('list_licences', rateLimit(seconds));
		await failureOf(service.licences());
	};
	const all = { clock, memory, service, workspace, poller, tools, place, create };
	return { ...all, carry, time, gaps, others, meetLimit };
}

/** What an order of a test wants, unless it is the first one of its content and needs no list. */
type Placed = Parameters<BriefOrder['place']>[0] & Partial<BriefRequest> & { list?: WorkspaceList };

function wantedBrief(product_name: string, fields: Partial<BriefRequest>): BriefRequest {
	const keyAfter = (unusable: string | null) => `${product_name}${unusable ?? ''}`;
	return { input: { product_name }, whenBriefExists: 'use', keyAfter, ...fields };
}

export interface Carried extends CarryOptions {
	order?: OrderState;
	/** The last part of its way that is carried out; all of it if that is left out. */
	last?: Part;
	signal?: AbortSignal;
	hasRecord?: boolean;
	input?: BriefInput;
	isOthers?: (id: string) => boolean;
	/** What a batch says of its allowance. */
	end?: () => OrderingEnd | null;
	/** What a batch does with a brief that exists. */
	follow?: Pick<OrderShell, 'get' | 'watch' | 'file'>;
	onRecord?: (event: LastingEvent, order: OrderState) => Promise<void>;
	onNote?: (event: PassingEvent, order: OrderState) => void;
}

/** An order with a journal unless a test says otherwise. The test is called before each event. */
function testShell(name: string, tools: OrderDependencies, carried: Carried): OrderShell {
	const { hasRecord = true, onRecord, onNote, isOthers, input = { product_name: name } } = carried;
	const { end, follow } = carried;
	const request = wantedBrief(name, { input, isOthers: isOthers ?? (() => false) });
	const order = new BriefOrder(request, tools);
	const isLasting = ({ event }: OrderEvent): boolean =>
		['intended', 'accepted', 'withdrawn', 'refused', 'unanswered', 'parked'].includes(event);
	const hear = order.hear.bind(order);
	return Object.assign(order, {
		circumstances: () => ({ ...ALONE, end: end?.() ?? null }),
		hear: (event: OrderEvent, before: OrderState) => {
			if (!isLasting(event)) onNote?.(event as PassingEvent, before);
			hear(event, before);
		},
		...(hasRecord ? { keep: onRecord ?? (() => Promise.resolve()) } : {}),
		...follow,
	});
}

/** A signal for a wait, and what makes it say “stop”. */
export function stopper() {
	const abort = new AbortController();
	return { signal: abort.signal, stop: () => abort.abort(new Error('stop')) };
}
