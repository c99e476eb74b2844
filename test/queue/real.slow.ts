import { n8n, stopRig, version } from '../support/n8n/rig';
import { startDeadWorkers, startQueueRig } from '../support/queue/rig';
import { mainProcess } from './suites/main-process';
import { powerCut } from './suites/power-cut';
import { sharing } from './suites/sharing';
import { workerKilled } from './suites/worker-killed';

beforeAll(startQueueRig, 15 * 60_000);
afterEach(startDeadWorkers, 120_000);
afterAll(stopRig, 120_000);

describe(`In n8n ${version} with two workers`, () => {
	sharing();
	workerKilled();
	mainProcess();
	powerCut();
	test('sends no request to a host on the internet', () => {
		expect(n8n().vendors.refusedHosts).toEqual([]);
	});
});
