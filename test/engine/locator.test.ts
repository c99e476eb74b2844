import { LoadOptionsContext } from 'n8n-core';
import type { Sandbox } from '../../sandbox/sandbox';
import { searchBriefs } from '../../nodes/shared/search-briefs';
import { sandboxWith, targetOf } from '../support/engine/fixtures';
import { additionalDataFor, workflowOf } from '../support/engine/engine';

/** What the editor asks for behind From List. */
function search(sandbox: Sandbox, filter?: string, token?: string, key?: 'revoked') {
	const workflow = workflowOf([{ name: 'Node', type: 'creatorBriefing' }]);
	const additionalData = additionalDataFor(targetOf(sandbox, key));
	const context = new LoadOptionsContext(workflow, workflow.getNode('Node')!, additionalData, '');
	return searchBriefs.call(context, filter, token);
}

describe('From List', () => {
	it('shows the newest briefs first, with their state and link, page by page', async () => {
		const sandbox = await sandboxWith({ speed: 1 });
		for (let count = 0; count < 130; count += 1) {
			sandbox.advance(1000);
			sandbox.addBrief({ status: 'ready', createdAt: sandbox.now() });
		}
		const running = sandbox.addBrief({ product_name: 'Glow Serum', createdAt: sandbox.now() + 1 });
		const first = await search(sandbox);
		expect(first.results).toHaveLength(100);
		expect(first.results[0]).toEqual({
			name: expect.stringMatching(/^\d+ \w{3} \d{4}, \d\d:\d\d · queued · Glow Serum$/) as string,
			value: running.id,
			url: expect.stringContaining(running.id) as string,
		});
		const second = await search(sandbox, '', first.paginationToken);
		expect(second.results).toHaveLength(31);
		expect(second.paginationToken).toBeUndefined();
	});

	it('finds by words of the title or product, on later pages too', async () => {
		const sandbox = await sandboxWith({ speed: 1 });
		const { id } = sandbox.addBrief({ status: 'ready', product_name: 'Crème de Jour' });
		for (let count = 0; count < 150; count += 1) sandbox.addBrief({ status: 'ready' });
		const { results } = await search(sandbox, 'JOUR crème');
		expect(results.map(({ value }) => value)).toEqual([id]);
		expect((await search(sandbox, 'nothing like it')).results).toEqual([]);
	});

	it('says why it cannot show any', async () => {
		const sandbox = await sandboxWith();
		await expect(search(sandbox, '', undefined, 'revoked')).rejects.toThrow(/key was refused/);
	});
});
