import type { Case } from '../../support/world/actions';
import { replay } from '../../support/world/trace';
import { DAY, HOUR, MINUTE } from '../../support/time';

jest.setTimeout(30_000);

const NOTHING = { do: 'run', death: { at: 1, when: 'before' } } as const;
const ordersAndDies = (at: number) =>
	({ do: 'run', death: { at, of: 'create_brief', when: 'amid' } }) as const;
const LAGS = { thirdBrief: 'queue', listLag: 5 * MINUTE } as const;

/**
 * The shortest form of every sequence that once broke a promise, under the name of what was wrong. Moments are named by
 * what happens and not by counting effects, so that they stay the same when effects come and go.
 */
const SEQUENCES: Record<string, Case> = {
	'P1: this machine’s clock was set back, and a brief seemed too old to be of its order': {
		options: { keyMemoryMs: 20 * MINUTE },
		actions: [ordersAndDies(1), { do: 'next month' }, { do: 'skew', ms: -HOUR }, NOTHING],
	},
	'P4: an accepted brief that a lagging list did not show left its slot to a third': {
		options: LAGS,
		actions: [{ do: 'run', deathOn: { event: 'accepted', nth: 2 } }],
	},
	'P4: a row was ordered while an earlier order was still looked for': {
		options: LAGS,
		actions: [{ do: 'run', deathOn: { event: 'accepted', nth: 1 } }],
	},
	'P4: a brief that a clock set ahead had parked did not count as running': {
		options: LAGS,
		actions: [
			{ do: 'run', deathOn: { event: 'accepted', nth: 1 }, max: 1 },
			{ do: 'skew', ms: HOUR },
			{ do: 'run', deathOn: { event: 'accepted', nth: 2 } },
		],
	},
	'P4: an order whose row was taken out of the CSV held no slot until the list showed its brief': {
		options: LAGS,
		actions: [
			{ do: 'fault', on: 'create_brief', with: 'in flight', times: 7 },
			{ do: 'run' },
			{ do: 'edit', how: 'change', at: 0 },
			{ do: 'edit', how: 'add', at: 0 },
		],
	},
	'P5: briefs that only the journal knew did not count against the allowance': {
		options: { allowance: 2, failsEvery: 2, listLag: 5 * MINUTE },
		actions: [
			{ do: 'run', deathOn: { event: 'ended', nth: 1 } },
			{ do: 'run', retry: true },
		],
	},
	'P1: a computer slept for days between the decision to send an order again and its record': {
		options: { keyMemoryMs: 20 * MINUTE },
		actions: [
			{ do: 'fault', on: 'create_brief', with: '502 after', times: 14 },
			{ do: 'run', sleepAtLine: 4, sleepMs: 2 * DAY, leaveSlots: 1 },
		],
	},
	'P1: a 409 for a key in use was taken for want of a slot, which its own brief had': {
		options: { keyMemoryMs: 20 * MINUTE },
		actions: [
			{ do: 'fault', on: 'create_brief', with: 'in flight', times: 1 },
			{ do: 'others', minutes: 1 },
			{ do: 'run', sleepAt: 23, sleepMs: 2 * DAY },
			{ do: 'edit', how: 'add', at: 0 },
		],
	},
	'P4: the list lagged behind for longer than the slot of an order in doubt was held': {
		options: { thirdBrief: 'queue', listLag: 5 * MINUTE },
		actions: [
			{ do: 'fault', on: 'create_brief', with: 'lost after', times: 2 },
			{ do: 'fault', on: 'create_brief', with: 'teapot', times: 1 },
			{ do: 'run' },
		],
	},
	'P4: an order of an earlier run that was given up again left its slot to a third': {
		options: LAGS,
		actions: [
			{ do: 'run', death: { at: 1, of: 'create_brief', when: 'after' } },
			{ do: 'fault', on: 'create_brief', with: 'never sent', times: 14 },
			{ do: 'run', death: { at: 15, of: 'create_brief', when: 'after' } },
			{ do: 'run' },
		],
	},
	'P5: an order that never left was sent again after another was told that nothing is left': {
		options: {},
		actions: [
			{ do: 'fault', on: 'create_brief', with: 'allowance', times: 1 },
			{ do: 'fault', on: 'create_brief', with: 'never sent', times: 1 },
			{ do: 'run' },
		],
	},
	'P5: a brief that only the journal knew counted in the month of this machine’s clock, not of the service’s':
		{
			options: { allowance: 2, listLag: 20_000, ahead: -40 * MINUTE },
			actions: [
				{ do: 'next month' },
				{ do: 'run', deathOn: { event: 'accepted', nth: 1 }, max: 1 },
				{ do: 'run' },
			],
		},
	'P5: a brief counted in the month before, for this machine’s clock was set back between its order and its answer':
		{
			options: { allowance: 2, listLag: 5 * MINUTE },
			actions: [
				{ do: 'next month' },
				{ do: 'run', death: { at: 1, of: 'create_brief', when: 'before' } },
				{ do: 'skew', ms: -3 * DAY },
				{ do: 'run', deathOn: { event: 'accepted', nth: 2 } },
				{ do: 'run' },
			],
		},
	'P4: a computer slept between the look at the slots and the order, and others had the slot': {
		options: { thirdBrief: 'queue', listLag: 5 * MINUTE },
		actions: [
			{ do: 'others', minutes: 40 },
			{ do: 'run', sleepAtLine: 3, sleepMs: 10 * MINUTE },
			{ do: 'run' },
		],
	},
	'P4: an order in doubt was parked a moment before the run was started again, and its slot was taken':
		{
			options: { listLag: 20_000, thirdBrief: 'queue' },
			actions: [
				{ do: 'others', minutes: 5 },
				{ do: 'pass', ms: MINUTE },
				{ do: 'fault', on: 'create_brief', with: 'lost after', times: 1 },
				{ do: 'fault', on: 'create_brief', with: 'teapot', times: 1 },
				{ do: 'run', deathOn: { event: 'parked', nth: 1 } },
				{ do: 'run' },
			],
		},
	'P2: an order was sent again just now, but its first try was so old that the list seemed to tell for certain':
		{
			options: { listLag: 20_000 },
			actions: [
				{ do: 'run', death: { at: 1, of: 'create_brief', when: 'before' }, max: 1 },
				{ do: 'pass', ms: 11 * MINUTE },
				{ do: 'run', death: { at: 1, of: 'create_brief', when: 'after' }, max: 1 },
				{ do: 'fault', on: 'create_brief', with: 'teapot', times: 1 },
				{ do: 'run', max: 1 },
			],
		},
	'P4: others took both slots while a rate limit held up the licences, after the list had shown two free ones':
		{
			options: { thirdBrief: 'queue', listLag: 20_000 },
			actions: [
				{ do: 'fault', on: 'list_licences', with: 'rate by header', times: 2 },
				{ do: 'others', minutes: 1 },
				{ do: 'others', minutes: 1 },
				{ do: 'run' },
			],
		},
	'P5: an answer of the list was on its way for three hours, while others used up the month': {
		options: { allowance: 4 },
		actions: [
			{ do: 'run', heldUpAt: 13, heldUpMs: 3 * HOUR, othersAt: 47, leaveSlots: 1, keep: 1 },
			NOTHING,
		],
	},
	'an order whose key the service fails for good is a person’s after a day': {
		options: {},
		actions: [
			{ do: 'fault', on: 'create_brief', with: 'saved 500', times: 1 },
			ordersAndDies(1),
			{ do: 'run', max: 1 },
		],
	},
};

test.each(Object.entries(SEQUENCES))('%s', async (_, sequence) => {
	await replay(sequence);
});

const given = process.env.CASE;
if (given !== undefined) {
	test('CASE: a sequence from a failing run', async () => {
		await replay(JSON.parse(given) as Case);
	});
}
