import { isDeepStrictEqual } from 'node:util';
import { planBrief, type StoredBrief } from '../briefs/brief';
import { getMonthStart } from '../clock';
import { createUuid } from '../random';
import { allowanceExceeded, invalidRequest, Refusal, slotsTaken } from '../refusals';
import type { AcceptedOrder, Answer, Call, Service } from '../state';
import type { BriefInput } from '../writing/types';
import { toFullBrief } from './brief-json';

/** The wait that a refused third brief asks for, in milliseconds of the sandbox. */
const SLOT_WAIT_MS = 30_000;

/** docs/api.md section 4.3. */
export function createBrief(service: Service, call: Call): Answer {
	// The OpenAPI document permits no other body.
	const { idempotency_key, ...input } = call.body as BriefInput & { idempotency_key?: string };
	const key = getIdempotencyKey(call.headers['idempotency-key'], idempotency_key);
	if (key === undefined) return acceptOrder(service, call, input);

	const { briefs, clock, keyMemory, options } = service;
	const workspaceKey = `${call.key.workspace} ${key}`;
	const now = clock.now();
	const remembered = keyMemory.get(workspaceKey);
	const original = briefs.find(remembered?.briefId ?? '');
	if (remembered && original && now - remembered.at < options.keyMemoryMs) {
		return replay(service, original, input);
	}
	const answer = acceptOrder(service, call, input, key);
	keyMemory.set(workspaceKey, { at: now, briefId: answer.briefId });
	return answer;
}

/** Header and body mean the same. docs/api.md section 4.3 leaves open what happens if they differ: here 400. */
function getIdempotencyKey(inHeader?: string, inBody?: string): string | undefined {
	const key = (inHeader ?? inBody)?.toLowerCase();
	if (inBody === undefined || inBody.toLowerCase() === key) return key;
	const message = 'idempotency-key differs from idempotency_key in the body';
	throw invalidRequest({ in: 'header', field: 'idempotency-key', code: 'mismatch', message });
}

/** docs/api.md section 4.3 rule 2: the original result, at no cost. Rule 3 leaves status and other bodies open. */
function replay(service: Service, brief: StoredBrief, input: BriefInput): Answer {
	if (!isDeepStrictEqual(input, brief.input)) {
		const message = 'This idempotency key was used with a different body.';
		throw new Refusal(409, 'idempotency_conflict', message);
	}
	brief.replays += 1;
	return { status: 200, body: toFullBrief(service, brief), briefId: brief.id };
}

function acceptOrder(
	service: Service,
	{ key }: Call,
	input: BriefInput,
	idempotencyKey?: string,
): Answer & { briefId: string } {
	const { workspace } = key;
	const now = service.clock.now();
	checkAllowance(service, workspace, now);
	const mustWait = checkSlots(service, workspace, now);
	const order = { input, workspace, idempotencyKey, mustWait };
	const brief = service.startBrief?.(order) ?? startBrief(service, order);
	return { status: 202, body: toFullBrief(service, brief), briefId: brief.id };
}

/** Starts a brief whose ID, duration and end are drawn. */
function startBrief(service: Service, order: AcceptedOrder): StoredBrief {
	const { briefs, clock, counters, options, seed } = service;
	const { input, workspace, idempotencyKey, mustWait } = order;
	const now = clock.now();
	const ordinal = counters.creates;
	counters.creates += 1;
	const brief: StoredBrief = {
		id: createUuid(seed, 'brief', ordinal),
		workspace,
		serial: briefs.count,
		input,
		createdAt: now,
		listedAt: now + options.listLagMs,
		ordinal,
		plan: planBrief(seed, ordinal, input, options.failureShare),
		startedAt: mustWait ? null : now,
		idempotencyKeys: idempotencyKey === undefined ? [] : [idempotencyKey],
		replays: 0,
	};
	briefs.add(brief, now);
	return brief;
}

/** docs/api.md section 8: one unit for each create request, and beyond the allowance 429. */
function checkAllowance({ briefs, options }: Service, workspace: string, now: number): void {
	const quota = options.allowance;
	if (briefs.countUsedThisMonth(workspace, now) < quota) return;
	throw allowanceExceeded({ quota, waitMs: getMonthStart(now, 1) - now });
}

/** Returns whether the brief waits for a slot. docs/api.md section 8 leaves open what happens to a third order. */
function checkSlots({ briefs, options }: Service, workspace: string, now: number): boolean {
	const { slots: quota, thirdBrief } = options;
	if (briefs.countRunning(workspace, now) < quota) return false;
	if (thirdBrief === 'queue') return true;
	if (thirdBrief === 'refuse') throw slotsTaken({ quota, waitMs: SLOT_WAIT_MS });
	throw new Refusal(thirdBrief, 'refused', 'Not now.');
}
