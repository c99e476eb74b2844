import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withOrderLife } from './order-life';

/** `npm run docs`: writes what docs/architecture.md shows of the code. */
const page = join(__dirname, '..', 'docs', 'architecture.md');
writeFileSync(page, withOrderLife(readFileSync(page, 'utf8')));
