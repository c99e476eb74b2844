import { HOOK_CATEGORIES } from '../../../service/resources';
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
			expect(page.results[0]!.name).toMatch(/\d · \w+ · Lamp$/);
			const next = await search({ paginationToken: page.paginationToken! });
			expect(next.results).toHaveLength(11);
			expect(next.paginationToken).toBeUndefined();
			expect((await search({ filter: 'lamp' })).results).toHaveLength(1);
		});

		it('takes a brief from the list, by its ID and by its link', async () => {
			const { sandbox, nodes, run } = await serviceWith();
			const { id } = sandbox.addBrief({ status: 'ready' });
			for (const [mode, value] of [
				['list', id],
				['id', id],
				['url', `https://app.example.com/briefs/${id}?tab=brief`],
			]) {
				const done = await run([{}], nodes.get({ briefId: { __rl: true, mode, value } }));
				expect(done.status).toBe('success');
				expect(done.json('Get')).toMatchObject([
					{ id, status: 'ready', markdown: expect.stringMatching(/^# /) as string },
				]);
			}
		});

		it('simplifies, or gives the whole brief, and the Markdown as a file', async () => {
			const { sandbox, nodes, run } = await serviceWith();
			const { id } = sandbox.addBrief({ status: 'ready', product_name: 'Glow Serum' });
			const simple = await run([{ id }], nodes.get());
			expect(simple.json('Get')[0]).not.toHaveProperty('document');
			const options = { markdownFile: true, outputDataFieldName: 'brief' };
			const whole = await run([{ id }], nodes.get({ simplify: false, options }));
			const [item] = whole.items('Get');
			expect(item!.json).toMatchObject({ revision: expect.any(Number) as number });
			expect(item!.json['document']).toEqual(expect.any(Object));
			expect(item!.binary!['brief']).toMatchObject({
				mimeType: 'text/markdown',
				fileName: expect.stringMatching(/\.md$/) as string,
			});
			const text = (await client().readBinary(item!, 'brief')).toString();
			expect(text).toBe(item!.json['markdown']);
		});
	});

	describe('Brief → Get Many', () => {
		it('follows the pages to the end with Return All, and keeps to the limit without', async () => {
			const { sandbox, nodes, run, count } = await serviceWith();
			for (let number = 0; number < 230; number += 1) {
				sandbox.addBrief({ status: number < 5 ? 'failed' : 'ready' });
			}
			const many = (parameters: object) =>
				run([{}], nodes.action('Many', 'brief', 'getAll', { ...parameters }));
			const all = await many({ returnAll: true });
			expect(new Set(all.json('Many').map(({ id }) => id)).size).toBe(230);
			expect(count('list_briefs')).toBe(3);
			expect((await many({ limit: 7 })).json('Many')).toHaveLength(7);
			expect((await many({ limit: 120 })).json('Many')).toHaveLength(120);
			const failed = await many({ filters: { status: 'failed' } });
			expect(failed.json('Many').map(({ status }) => status)).toEqual(Array(5).fill('failed'));
		});
	});

	describe('Hook → Get Many', () => {
		it('takes all categories in one request, and several in one each, each video once', async () => {
			const { nodes, run, count } = await serviceWith();
			const all = await run([{}], nodes.action('Hooks', 'hook', 'getAll', { limit: 80 }));
			expect(all.json('Hooks')).toHaveLength(80);
			expect(count('list_hooks')).toBe(1);
			const categories = HOOK_CATEGORIES.slice(0, 3);
			const options = { sort: 'views' };
			const some = await run(
				[{}],
				nodes.action('Hooks', 'hook', 'getAll', { categories, limit: 12, options }),
			);
			const hooks = some.json('Hooks');
			expect(hooks).toHaveLength(12);
			expect(categories).toEqual(expect.arrayContaining(hooks.map(({ category }) => category)));
			const views = hooks.map((hook) => Number(hook['views']));
			expect(views).toEqual([...views].sort((a, b) => b - a));
			expect(count('list_hooks')).toBe(4);
		});
	});

	describe('Licence', () => {
		it('→ Get Many gives the licences', async () => {
			const { nodes, run } = await serviceWith();
			const done = await run([{}], nodes.action('Licences', 'licence', 'getAll'));
			expect(done.json('Licences').map(({ product }) => product)).toContain('creator-briefs');
		});

		it('→ Get Brief Allowance counts the briefs themselves', async () => {
			const { sandbox, nodes, run } = await serviceWith({ allowance: 50, usedThisMonth: 'zero' });
			for (let count = 0; count < 3; count += 1) sandbox.addBrief({ status: 'ready' });
			sandbox.addBrief({ durationMs: 999_000_000 });
			const done = await run([{}], nodes.action('Allowance', 'licence', 'getAllowance'));
			expect(done.json('Allowance')).toMatchObject([
				{ allowance: 50, used: 4, remaining: 46, running: 1 },
			]);
			expect(done.json('Allowance')[0]!['resets_at']).toMatch(/^2026-12-01/);
		});
	});

	describe('n8n’s HTTP Request node', () => {
		it('calls any endpoint with this credential', async () => {
			const { sandbox, nodes, run } = await serviceWith();
			const done = await run([{}], nodes.httpRequest(`${sandbox.url}/licences`));
			expect(done.status).toBe('success');
			expect(done.json('HTTP Request')[0]!['data']).toHaveLength(4);
			expect(sandbox.requests.map(({ key, status }) => [key, status])).toEqual([
				['allScopes', 200],
			]);
		});
	});
}
