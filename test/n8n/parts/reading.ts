import { HOOK_CATEGORIES } from '../../../service/api/resources';
import { client, serviceWith } from '../../support/n8n/rig';

export function reading(): void {
	describe('Brief → Get', () => {
		it('lists the newest briefs first, page by page, and finds by words', async () => {
			const { sandbox, nodes } = await serviceWith();
			for (let count = 1; count <= 110; count += 1) {
				sandbox.addBrief({ status: 'ready', product_name: `Bottle ${count}` });
			}
			const newest = sandbox.addBrief({ product_name: 'Lamp' });
			const search = (more = {}) =>
				client().listSearch(nodes.get(), 'briefId', 'searchBriefs', more);
			const page = await search();
			expect(page.results).toHaveLength(100);
			expect(page.results[0]).toMatchObject({
				value: newest.id,
				url: expect.any(String) as string,
			});
			expect(page.results[0]!.name).toMatch(/^Lamp · \w+ · \d+ \w+ \d{4}, [\d:]+$/);
			const next = await search({ paginationToken: page.paginationToken! });
			expect(next.results).toHaveLength(11);
			expect(next.paginationToken).toBeUndefined();
			expect((await search({ filter: 'lamp' })).results).toHaveLength(1);
		});

		it.each(['list', 'id', 'url'])(
			'takes a brief from %s, and gives its text as a file',
			async (mode) => {
				const { sandbox, nodes, run } = await serviceWith();
				const { id } = sandbox.addBrief({ status: 'ready' });
				const value = mode === 'url' ? `https://app.example.com/briefs/${id}?tab=brief` : id;
				const briefId = { __rl: true, mode, value };
				const options = { markdownFile: true, outputDataFieldName: 'brief' };
				const done = await run([{}], nodes.get({ briefId, simplify: false, options }));
				const [item] = done.items('Get');
				expect(item!.json).toMatchObject({ id, document: expect.any(Object) as object });
				const text = (await client().readBinary(item!, 'brief')).toString();
				expect(text).toBe(item!.json['markdown']);
			},
		);
	});

	it.each([
		['brief', 'getAll', { returnAll: true }, 120],
		['brief', 'getAll', { limit: 7 }, 7],
		['brief', 'getAll', { filters: { status: 'failed' } }, 5],
		['hook', 'getAll', { limit: 80 }, 80],
		['hook', 'getAll', { categories: HOOK_CATEGORIES.slice(0, 3), limit: 12 }, 12],
		['licence', 'getAll', {}, 4],
		['licence', 'getAllowance', {}, 1],
	])('%s → %s with %j gives its items', async (resource, operation, parameters, items) => {
		const { sandbox, nodes, run } = await serviceWith();
		for (let number = 0; number < 120; number += 1) {
			sandbox.addBrief({ status: number < 5 ? 'failed' : 'ready' });
		}
		const done = await run([{}], nodes.action('Node', resource, operation, parameters));
		expect(done.status).toBe('success');
		expect(done.json('Node')).toHaveLength(items);
	});

	it('n8n’s HTTP Request node calls any endpoint with this credential', async () => {
		const { sandbox, nodes, run } = await serviceWith();
		const done = await run([{}], nodes.httpRequest(`${sandbox.url}/licences`));
		expect(done.json('HTTP Request')[0]!['data']).toHaveLength(4);
		expect(sandbox.requests).toMatchObject([{ key: 'allScopes', status: 200 }]);
	});
}
