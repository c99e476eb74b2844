import { TestProgram } from '../support/test-program';

/** The tests begin on 10 November 2026. */
const SENTENCE = 'The licence renews or ends on';

test.each([
	['2026-11-16T00:00:00Z', '16 November 2026', true],
	['2026-12-03T00:00:00Z', '3 December 2026', false],
])(
	'doctor names the end of the licence, %s, and a run if it is within seven days',
	async (end, day, isNear) => {
		const program = new TestProgram(['Mug'], { shownLicence: { renews_or_ends_at: end } });
		const doctor = await program.type('doctor');
		expect(doctor.output).toContain(`${SENTENCE} ${day}`);
		const { code, output } = await program.type('run products.csv');
		expect([code, output.includes(SENTENCE)]).toEqual([0, isNear]);
		// It is no news.
		expect((await program.type('run products.csv --quiet')).output).toBe('');
	},
);
