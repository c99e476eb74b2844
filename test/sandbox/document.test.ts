import { execFileSync } from 'node:child_process';
import { documentPath, operationIds } from '../../sandbox/contract';
import { benches } from '../support/sandbox/bench';

const start = benches();

describe('the OpenAPI document', () => {
	it('passes the recommended rules of Redocly without an error or a warning', () => {
		// The linter is an ES module, which jest cannot load: Node runs it.
		const script = `
			const { createConfig, lint } = await import('@redocly/openapi-core');
			const config = await createConfig({ extends: ['recommended'] });
			const problems = await lint({ ref: process.argv[1], config });
			console.log(JSON.stringify(problems.map(({ ruleId, message }) => ruleId + ': ' + message)));`;
		const output = execFileSync(
			process.execPath,
			['--input-type=module', '--eval', script, documentPath],
			{ encoding: 'utf8', cwd: __dirname },
		);
		expect(JSON.parse(output)).toEqual([]);
	}, 20_000);

	it('has the five operations, and each answers', async () => {
		const bench = await start();
		const { body } = await bench.create();
		await bench.get('/licences');
		await bench.get('/briefs');
		await bench.get(`/briefs/${body.id}`);
		await bench.get('/content-iq/hooks');
		const seen = bench.sandbox.requests.map(({ operation }) => operation);
		expect(new Set(seen)).toEqual(new Set(operationIds));
	});
});
