import { makeRefusal } from '../../support/faults';
import { TestProgram } from '../support/test-program';
import { startWebhook } from '../support/webhook';

/** Returns the checks with their results, such as “ok address”. */
function listChecks(output: string): string[] {
	return output.split('\n').flatMap((line) => {
		const [, state, name] = /^(ok|failed) +(\w+)/.exec(line) ?? [];
		return state === undefined ? [] : [`${state} ${name}`];
	});
}

test('checks the requirements of a run, and orders nothing', async () => {
	const program = new TestProgram([], { allowance: 90 });
	const { url, bodies } = await startWebhook();
	const { code, output } = await program.type(`doctor --notify ${url} --name Acme`);
	expect([code, program.created.length]).toEqual([0, 0]);
	expect(listChecks(output)).toEqual([
		...['ok service', 'ok scopes', 'ok licence', 'ok clock', 'ok folder', 'ok webhook'],
	]);
	expect(output).toContain('90 of 90 briefs left this month');
	expect(output).not.toContain('secret');
	expect(bodies).toMatchObject([{ text: 'Acme: test message from brief-batch doctor' }]);
});

test.each<[what: string, code: number, env: object, fail: (program: TestProgram) => void]>([
	['the key is refused', 4, {}, (program) => program.refuseKey()],
	['there is no API key', 2, { CREATOR_BRIEFING_API_KEY: '' }, () => undefined],
	['the service cannot be reached', 5, {}, (program) => (program.intercept = () => 'not sent')],
])('checks only the folder if %s', async (_what, expected, env, fail) => {
	const program = new TestProgram();
	fail(program);
	const { code, output } = await program.type('doctor', { env: { ...env } });
	expect([code, listChecks(output)]).toEqual([expected, ['failed service', 'ok folder']]);
});

test.each<[what: string, code: number, line: RegExp, makeProgram: () => TestProgram]>([
	[
		'a missing scope',
		4,
		/failed +scopes .*creator-briefs:read/,
		() => {
			const program = new TestProgram();
			const message = 'The key lacks creator-briefs:read';
			program.fail('list_briefs', makeRefusal(403, 'insufficient_scope', message));
			return program;
		},
	],
	[
		'a licence that covers the web alone',
		4,
		/failed +licence .*covers the API/,
		() => new TestProgram([], { shownLicence: { channels: ['web'] } }),
	],
	[
		'a slow clock',
		0,
		/ok +clock +is 20 minutes behind the clock of the service/,
		() => new TestProgram([], { clockAheadMs: 1_200_000 }),
	],
])('names %s', async (_what, expected, line, makeProgram) => {
	const { code, output } = await makeProgram().type('doctor');
	expect([code, output]).toEqual([expected, expect.stringMatching(line)]);
});

test('ends with 2 if the webhook does not answer, without showing its address', async () => {
	const { code, output } = await new TestProgram().type(
		'doctor --notify http://127.0.0.1:9/secret',
	);
	expect([code, output]).toEqual([2, expect.stringMatching(/failed +webhook/)]);
	expect(output).not.toContain('secret');
});
