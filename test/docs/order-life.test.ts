import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withOrderLife } from '../../scripts/order-life';

test('docs/architecture.md shows the life of an order as it is; npm run docs draws it', () => {
	const page = readFileSync(join(__dirname, '../../docs/architecture.md'), 'utf8');
	expect(page).toBe(withOrderLife(page));
});
