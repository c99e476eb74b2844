import type { IExecuteFunctions } from 'n8n-workflow';
import { showNotice } from '../../nodes/shared/items';

it('a notice is left out if n8n has no method for it, as for a tool in 1.85', () => {
	const context = {} as unknown as IExecuteFunctions;
	expect(() => showNotice(context, 'Ordered.', 'info')).not.toThrow();
});
