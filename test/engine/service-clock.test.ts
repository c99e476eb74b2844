import { runLoop } from '../support/engine/engine';
import { continuing, create, products, openService } from '../support/engine/fixtures';
import { engineTime } from '../support/engine/time';

/** A clock that differs from the clock of the machine that runs the nodes. */
function makeClock(offsetMs: number) {
	const clock = engineTime();
	return { now: () => clock.now() + offsetMs };
}

it.each([
	['behind', -600_000],
	['ahead', 600_000],
])(
	'counts each order of a loop as paid for if the service has a clock that is %s',
	async (_, offsetMs) => {
		const sandbox = await openService({ clock: makeClock(offsetMs) });
		const done = await runLoop(sandbox, products(4), create({ maxBriefs: 2, ...continuing }));
		const passes = [0, 1, 2, 3].map((pass) => done.json('Create', 0, pass)[0]);
		expect(passes).toMatchObject([
			{ already_existed: false },
			{ already_existed: false },
			{ code: 'limit_reached' },
			{ code: 'limit_reached' },
		]);
		expect(sandbox.createdCount()).toBe(2);
	},
);
