import { join } from 'node:path';
import { chosenVersion } from '../../../harness/install/versions';
import { startN8nWithPackage, type N8nWithPackage } from '../../../harness/n8n-with-package';

/** Long enough for the first start, which installs n8n. */
export const STARTING_MS = 15 * 60_000;

/** A real n8n with nothing of this repository in it: its package is the probe, the smallest one there is. */
export function startSmokeN8n(): Promise<N8nWithPackage> {
	return startN8nWithPackage({
		version: chosenVersion(),
		packageFolder: join(__dirname, 'probe'),
	});
}
