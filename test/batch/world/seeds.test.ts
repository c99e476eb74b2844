import type { Case } from './actions';
import { replay } from './trace';
import { HOUR, MINUTE } from './world';

jest.setTimeout(30_000);

const dies = (at: number, when: 'before' | 'after' | 'amid') =>
	({ do: 'run', death: { at, when }, power: false }) as const;

/** The shortest form of every sequence that once broke a promise, under the name of what was wrong. */
const SEQUENCES: Record<string, Case> = {
	'P1: our clock was set back, and a brief seemed too old to be of its order': {
		options: { keyLife: 20 * MINUTE },
		actions: [
			{ ...dies(50, 'after'), leaveSlots: 1 },
			{ do: 'next month' },
			{ do: 'skew', ms: -HOUR },
			dies(1, 'before'),
		],
	},
	'P4: an accepted brief that a lagging list did not show left its slot to a third': {
		options: { third: 'queue', listLag: 5 * MINUTE },
		actions: [dies(21, 'after')],
	},
	'P4: a row was ordered while an earlier order was still looked for': {
		options: { third: 'queue', listLag: 5 * MINUTE },
		actions: [dies(23, 'before')],
	},
	'P4: a brief that a clock set ahead had parked did not count as running': {
		options: { third: 'queue', listLag: 5 * MINUTE },
		actions: [{ do: 'run', interruptAt: 18, max: 1 }, { do: 'skew', ms: HOUR }, dies(20, 'after')],
	},
	'P5: briefs that only the journal knew did not count against the allowance': {
		options: { allowance: 2, failsEvery: 2, listLag: 5 * MINUTE },
		actions: [dies(139, 'after'), { do: 'run', sleepAt: 16, sleepMs: 10 * MINUTE, retry: true }],
	},
	'an order whose key the service fails for good is a person’s after a day': {
		options: {},
		actions: [
			{ do: 'fault', on: 'create_brief', with: 'saved 500', times: 1 },
			dies(22, 'before'),
			{ do: 'run', max: 1 },
		],
	},
};

test.each(Object.entries(SEQUENCES))('%s', async (_, sequence) => {
	await replay(sequence);
});

const given = process.env.CASE;
(given === undefined ? test.skip : test)('CASE: a sequence from a failing run', async () => {
	await replay(JSON.parse(given ?? '') as Case);
});
