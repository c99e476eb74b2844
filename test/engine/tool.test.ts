import { create, products, sandboxWith, targetOf, wait } from './bench';
import { runNode } from './engine';

// n8n runs the type whose name ends in Tool when an AI agent uses a node, and gives the agent the first output alone.
describe('as a tool of an AI agent', () => {
	it('Wait Until Ready tells of failed briefs too', async () => {
		const sandbox = await sandboxWith();
		const failed = sandbox.addBrief({ status: 'failed', errorCode: 'research_failed' });
		const tool = { ...wait(), type: 'creatorBriefingWaitTool' };
		const done = await runNode(targetOf(sandbox), [{ id: failed.id }], tool);
		expect(done.json('Wait')).toMatchObject([{ status: 'failed', error_code: 'research_failed' }]);
	});

	it('Create gives the ID to go on with', async () => {
		const sandbox = await sandboxWith();
		const tool = { ...create(), type: 'creatorBriefingTool' };
		const done = await runNode(targetOf(sandbox), products(1), tool);
		expect(done.json('Create')[0]!['id']).toBe(sandbox.briefs()[0]!.id);
	});
});
