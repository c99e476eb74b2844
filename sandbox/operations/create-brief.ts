import { success, type Answer } from '../answer';
import { bodyHash, type Remembered } from '../briefs/key-memory';
import { planOf } from '../briefs/brief-life';
import type { BriefInput } from '../briefs/brief-input';
import type { StoredBrief } from '../briefs/record';
import { fullBriefOf } from '../briefs/shapes';
import { nextMonthStart } from '../sandbox-clock';
import { uuid } from '../random';
import { invalidRequest, limitReached, Refusal } from '../refusal';
import type { Call, Service } from '../service-state';

/** What the OpenAPI document lets through. */
type CreateBriefBody = BriefInput & { idempotency_key?: string };

/** A client that met busy slots is asked to wait this long, in sandbox time. */
const SLOT_WAIT_MS = 30_000;

/** docs/api.md section 4.3. */
export function answerCreateBrief(service: Service, call: Call): Answer {
	const { idempotency_key: keyInBody, ...input } = call.body as CreateBriefBody;
	const key = idempotencyKey(call.headers['idempotency-key'], keyInBody);
	if (key === undefined) return accept(service, call, input, undefined);

	const { keyMemory, clock, switches } = service;
	const workspace = call.key.workspace.id;
	const remembered = keyMemory.find(workspace, key, clock.now(), switches.keyMemoryMs);
	if (remembered !== undefined) return replay(service, call, remembered, key, input);
	const answer = accept(service, call, input, key);
	const briefId = (answer.body as { id: string }).id;
	keyMemory.save(workspace, key, { bodyHash: bodyHash(input), at: clock.now(), briefId });
	return answer;
}

/** docs/api.md section 4.3: header and body mean the same; what happens when they differ is not shown. */
function idempotencyKey(
	inHeader: string | undefined,
	inBody: string | undefined,
): string | undefined {
	if (inHeader === undefined || inBody === undefined) return inHeader ?? inBody;
	if (inHeader.toLowerCase() === inBody.toLowerCase()) return inBody;
	const message = 'idempotency-key differs from idempotency_key in the body';
	throw invalidRequest([{ in: 'header', field: 'idempotency-key', code: 'mismatch', message }]);
}

/**
 * docs/api.md section 4.3 rules 2 and 3: the original result, without spending. Status and other bodies are not
 * shown.
 */
function replay(
	{ briefs, clock, seed, switches }: Service,
	call: Call,
	remembered: Remembered,
	key: string,
	input: BriefInput,
): Answer {
	if (remembered.bodyHash !== bodyHash(input) && switches.replayOtherBody !== 'original') {
		throw new Refusal(
			switches.replayOtherBody === 'conflict' ? 409 : 422,
			'idempotency_conflict',
			'This idempotency key was used with a different body.',
		);
	}
	const brief = briefs.find(remembered.briefId);
	if (brief === undefined) throw new Error('An idempotency key names a brief that does not exist');
	call.about(brief.id);
	brief.replays += 1;
	if (!brief.idempotencyKeys.includes(key)) brief.idempotencyKeys.push(key);
	const now = switches.replayState === 'present' ? clock.now() : brief.createdAt;
	return success(fullBriefOf(brief, { now, seed, switches }), switches.replayStatus);
}

function accept(service: Service, call: Call, input: BriefInput, key: string | undefined): Answer {
	const { briefs, clock, counters, seed, switches } = service;
	const now = clock.now();
	const workspace = call.key.workspace.id;
	refuseBeyondAllowance(service, workspace, now);
	const waits = slotsAreBusy(service, workspace, now);

	const ordinal = counters.creates;
	counters.creates += 1;
	const brief: StoredBrief = {
		id: uuid(seed, 'brief', ordinal),
		workspace,
		serial: briefs.serial,
		input,
		createdAt: now,
		listedAt: now + switches.listLagMs,
		createdBy: call.key.name,
		ordinal,
		plan: planOf(seed, ordinal, input, switches.failureShare),
		startedAt: waits ? null : now,
		idempotencyKeys: key === undefined ? [] : [key],
		replays: 0,
	};
	briefs.add(brief, now);
	call.about(brief.id);
	return success(fullBriefOf(brief, { now, seed, switches }), 202);
}

/** docs/api.md section 8: reaching the monthly allowance yields 429. */
function refuseBeyondAllowance({ briefs, switches }: Service, workspace: string, now: number) {
	const quota = switches.allowance;
	if (briefs.usedThisMonth(workspace, now) < quota) return;
	const waitMs = nextMonthStart(now) - now;
	throw limitReached({ policy: 'briefs-per-month', quota, remaining: 0, waitMs }, switches);
}

/** docs/api.md section 8: the result when a third brief is started while two are running is not shown. */
function slotsAreBusy({ briefs, switches }: Service, workspace: string, now: number): boolean {
	const quota = switches.slots;
	if (briefs.runningIn(workspace, now).length < quota) return false;
	switch (switches.thirdBrief) {
		case 'queue':
			return true;
		case 'refuse':
			throw limitReached(
				{ policy: 'concurrent-briefs', quota, remaining: 0, waitMs: SLOT_WAIT_MS },
				switches,
			);
		case 'conflict':
			throw new Refusal(
				409,
				'concurrency_limit',
				`${quota} briefs are running. Start another when one has finished.`,
			);
		case 'bare-400':
		case 'bare-403':
		case 'bare-409':
		case 'bare-422':
			throw new Refusal(Number(switches.thirdBrief.slice(-3)), 'refused', 'Not now.');
	}
}
