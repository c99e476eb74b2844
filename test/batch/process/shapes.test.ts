import { startSandbox, type Sandbox } from '../../../sandbox/sandbox';
import { Desk, FAST } from '../../support/batch/brief-batch';
import { SHAPED_ROWS, SHAPES } from '../../support/sandbox/shapes';

jest.setTimeout(120_000);

const FIELDS = [
	...(['product_name', 'product_id', 'audience', 'approved_facts', 'campaign_terms'] as const),
];
const CSV = [
	FIELDS.join(),
	...SHAPED_ROWS.map((row) => FIELDS.map((field) => `"${row[field] ?? ''}"`).join()),
];

let sandbox: Sandbox;
let desk: Desk;

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

test.each(SHAPES)('with %s every row is ready, and paid once', async (_, options) => {
	const quick = { speed: 1000, failureShare: 0, requestsPerMinute: 0 };
	sandbox = await startSandbox({ ...quick, seed: 'shapes', ...options });
	desk = new Desk(sandbox);
	const csv = desk.csv('products.csv', CSV);
	const { code, out, err } = await desk.run(['run', csv, ...FAST]);
	expect([code, err, out]).toEqual([0, '', expect.any(String)]);
	expect(desk.results().map((row) => row['brief_status'])).toEqual(SHAPED_ROWS.map(() => 'ready'));
	expect(sandbox.createdCount()).toBe(SHAPED_ROWS.length);
});
