import { LoadOptionsContext } from 'n8n-core';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { makeAdditionalData, makeWorkflow } from '../support/engine/engine';
import { openService, type Service } from '../support/engine/fixtures';
import { matchText } from '../support/values';

describe('From List', () => {
	/** Sends a request of the editor. */
	async function search(sandbox: Service, filter?: string, token?: string, key?: 'revoked') {
		const workflow = makeWorkflow([{ name: 'Node', type: 'creatorBriefing' }]);
		const additionalData = makeAdditionalData(sandbox.getTarget(key));
		const context = new LoadOptionsContext(workflow, workflow.getNode('Node')!, additionalData, '');
		const { description, methods } = new CreatorBriefing();
		const { modes } = description.properties.find(({ name }) => name === 'briefId')!;
		const method = modes![0]!.typeOptions!.searchListMethod as 'searchBriefs';
		return await methods.listSearch[method].call(context, filter, token);
	}

	test('shows the newest briefs first, with their status and link, page by page', async () => {
		const sandbox = await openService();
		sandbox.addBriefs(...Array<'ready'>(130).fill('ready'));
		sandbox.advance(1000);
		const { id } = sandbox.addBrief({ product_name: 'Glow Serum', createdAt: sandbox.now() });
		const first = await search(sandbox);
		expect(first.results).toHaveLength(100);
		expect(first.results[0]).toEqual({
			name: matchText(/^Glow Serum · queued · \d+ \w{3} \d{4}, \d\d:\d\d$/),
			value: id,
			url: matchText(id),
		});
		const second = await search(sandbox, '', first.paginationToken);
		expect(second.results).toHaveLength(31);
		expect(second.paginationToken).toBeUndefined();
	});

	test('finds briefs by words of the title or product, also on later pages', async () => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ status: 'ready', product_name: 'Crème de Jour' });
		for (let count = 0; count < 150; count += 1) sandbox.addBrief({ status: 'ready' });
		const { results } = await search(sandbox, 'JOUR crème');
		expect(results.map(({ value }) => value)).toEqual([id]);
		expect((await search(sandbox, 'nothing like it')).results).toEqual([]);
	});

	test('shows the error of a key that is refused', async () => {
		const sandbox = await openService();
		await expect(search(sandbox, '', undefined, 'revoked')).rejects.toThrow(/API key refused/);
	});
});
