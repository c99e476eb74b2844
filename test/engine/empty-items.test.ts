import { runNode } from '../support/engine/engine';
import { continuing, create, openService, wait } from '../support/engine/fixtures';

// If the node before Create has nothing to return, Always Output Data makes n8n pass an empty item.
test.each([{}, continuing])(
	'an empty item is an error of Create and orders nothing: %j',
	async (settings) => {
		const sandbox = await openService();
		const NO_BRIEF = { __rl: true, mode: 'list', value: '' };
		const nodes = [create(settings), wait({ ...continuing, briefId: NO_BRIEF })];
		const done = await runNode(sandbox, [{}], nodes);
		expect(sandbox.countRequests('create_brief')).toBe(0);
		if (done.status === 'error') expect(done.error.message).toContain("'Product Name'");
		else expect(done.values('code', 'Wait', 1)).toEqual(['invalid_input']);
	},
);
