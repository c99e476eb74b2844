import { deskOf } from '../../support/batch/brief-batch';
import { SHAPED_ROWS, SHAPES } from '../../support/sandbox/shapes';

jest.setTimeout(120_000);

const FIELDS = [
	...(['product_name', 'product_id', 'audience', 'approved_facts', 'campaign_terms'] as const),
];
const CSV = [
	FIELDS.join(),
	...SHAPED_ROWS.map((row) => FIELDS.map((field) => `"${row[field] ?? ''}"`).join()),
];

test.each(SHAPES)('with %s every row is ready, and paid once', async (_, options) => {
	const desk = await deskOf(CSV, options);
	const { code, err, out } = await desk.run('run products.csv');
	expect([code, err, out]).toEqual([0, '', expect.any(String)]);
	expect(desk.statuses()).toEqual(SHAPED_ROWS.map(() => 'ready'));
	expect(desk.sandbox.createdCount()).toBe(SHAPED_ROWS.length);
});
