import { deskOf } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

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
