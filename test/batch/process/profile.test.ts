import { mkdirSync } from 'node:fs';
import { deskOf } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

test('a profile of PowerShell is read, and its folder is beside it', async () => {
	const desk = await deskOf(1);
	mkdirSync(desk.path('clients'));
	const text = `CREATOR_BRIEFING_OUT=acme\r\nCREATOR_BRIEFING_API_KEY=${desk.sandbox.keys.allScopes}\r\n`;
	desk.write('clients/acme.env', Buffer.from(`\ufeff${text}`, 'utf16le'));
	const args = ['run', 'products.csv', '--env-file', 'clients/acme.env'];
	const { code, err } = await desk.start(args, { CREATOR_BRIEFING_API_KEY: undefined }).ended;
	expect([code, err]).toEqual([0, '']);
	expect(desk.statuses('clients/acme')).toEqual(['ready']);
	expect(desk.exists('briefs')).toBe(false);
});

test('a profile that is not there ends every command, Node.js itself being quicker with 9', async () => {
	const desk = await deskOf(1);
	for (const command of ['run products.csv', 'status', 'doctor']) {
		const { code, err } = await desk.start(`${command} --env-file none.env`).ended;
		expect([2, 9]).toContain(code);
		expect(err).toContain('none.env');
		const inVariable = await desk.start(command, { CREATOR_BRIEFING_ENV_FILE: 'none.env' }).ended;
		expect([inVariable.code, inVariable.err]).toEqual([2, expect.stringContaining('(ENOENT)')]);
	}
});
