import { findQueuePrograms } from '../../harness/queue/programs';
import { n8n, stopRig, version } from '../support/n8n/rig';
import { startDeadWorkers, startQueueRig } from '../support/queue/rig';
import { mainProcess } from './parts/main-process';
import { powerCut } from './parts/power-cut';
import { sharing } from './parts/sharing';
import { workerKilled } from './parts/worker-killed';

// If Redis or PostgreSQL is not installed, that is said once, and not by each test.
findQueuePrograms();

beforeAll(startQueueRig, 15 * 60_000);
afterEach(startDeadWorkers, 120_000);
afterAll(stopRig, 120_000);

describe(`In n8n ${version} with two workers`, () => {
	sharing();
	workerKilled();
	mainProcess();
	powerCut();
	it('no host outside was spoken to', () => {
		expect(n8n().vendors.refusedHosts).toEqual([]);
	});
});
