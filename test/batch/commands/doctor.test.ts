import { createServer } from 'node:http';
import { listening } from '../../support/listening';
import { refused } from '../../support/faults';
import { TestProgram } from '../support/test-program';

/** Returns the checks with their results, such as “ok address”. */
function listChecks(output: string): string[] {
	return output.split('\n').flatMap((line) => {
		const [, state, name] = /^(ok|failed) +(\w+)/.exec(line) ?? [];
		return state === undefined ? [] : [`${state} ${name}`];
	});
}

const SERVICE_CHECKS = ['ok service', 'ok scopes', 'ok licence', 'ok clock'];

test('checks everything that a run needs, and orders nothing', async () => {
	const program = new TestProgram({ allowance: 90 });
	const bodies: string[] = [];
	const server = createServer((request, response) => {
		request.on('data', (bytes) => bodies.push(String(bytes)));
		request.on('end', () => response.end('ok'));
	});
	const url = `http://127.0.0.1:${await listening(server)}/secret`;
	const { code, output } = await program.run(`doctor --notify ${url} --name Acme`);
	expect(listChecks(output)).toEqual([...SERVICE_CHECKS, 'ok folder', 'ok webhook']);
	expect(output).toContain('90 of 90 briefs left this month');
	expect(bodies).toEqual([expect.stringContaining('Acme: test message')]);
	expect(output).not.toContain('secret');
	expect([code, program.sandbox.count('create_brief')]).toEqual([0, 0]);
});

test('ends with 4 if the key is refused', async () => {
	const program = new TestProgram();
	program.sandbox.fail('list_licences', refused(401, 'unauthorized', 'The key is not valid'));
	const { code, output } = await program.run('doctor');
	expect(code).toBe(4);
	expect(listChecks(output)).toEqual(['failed service', 'ok folder']);
});

test('names the scope that is missing', async () => {
	const program = new TestProgram();
	program.sandbox.intercept = ({ operation }) =>
		operation === 'list_briefs'
			? refused(403, 'insufficient_scope', 'The key lacks creator-briefs:read')
			: undefined;
	const { code, output } = await program.run('doctor');
	expect(code).toBe(4);
	expect(output).toMatch(/failed +scopes .*creator-briefs:read/);
});

test('ends with 4 if no licence covers orders through the API', async () => {
	const program = new TestProgram({ shownLicence: { channels: ['web'] } });
	const { code, output } = await program.run('doctor');
	expect(code).toBe(4);
	expect(output).toMatch(/failed +licence .*covers the API/);
});

test('ends with 5 if the service cannot be reached', async () => {
	const program = new TestProgram();
	program.sandbox.intercept = () => ({ answerLost: 'never-sent' });
	const { code, output } = await program.run('doctor');
	expect(code).toBe(5);
	expect(listChecks(output)).toEqual(['failed service', 'ok folder']);
});

test('ends with 2 without an API key', async () => {
	const { code, output } = await new TestProgram().run('doctor', {
		env: { CREATOR_BRIEFING_API_KEY: '' },
	});
	expect(code).toBe(2);
	expect(listChecks(output)).toEqual(['failed service', 'ok folder']);
});

test('says how far the clock is from the clock of the service', async () => {
	const { output } = await new TestProgram({ ahead: 20 * 60_000 }).run('doctor');
	expect(output).toMatch(/ok +clock +is 20 minutes behind the clock of the service/);
});

test('ends with 2 if the webhook does not answer, without showing its address', async () => {
	const { code, output } = await new TestProgram().run('doctor --notify http://127.0.0.1:9/secret');
	expect(code).toBe(2);
	expect(output).toMatch(/failed +webhook/);
	expect(output).not.toContain('secret');
});
