import type { IExecuteFunctions } from 'n8n-workflow';
import { showNotice } from '../../nodes/shared/notice';

describe('a notice', () => {
	it('is shown with the output', () => {
		const shown: unknown[] = [];
		const context = {
			shown,
			addExecutionHints(this: { shown: unknown[] }, ...hints: unknown[]) {
				this.shown.push(...hints);
			},
		};
		showNotice(context as unknown as IExecuteFunctions, 'Ordered.', 'info');
		expect(shown).toEqual([{ message: 'Ordered.', type: 'info', location: 'outputPane' }]);
	});

	it('is left out if n8n has no method for it, as for a tool in 1.85', () => {
		const context = {} as unknown as IExecuteFunctions;
		expect(() => showNotice(context, 'Ordered.', 'info')).not.toThrow();
	});
});
