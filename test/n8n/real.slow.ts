import { agents } from './parts/agents';
import { assistantProtocol } from './parts/assistant-protocol';
import { credential } from './parts/credential';
import { examples } from './parts/examples';
import { examplesWithTables } from './parts/examples-tables';
import { items } from './parts/items';
import { loading } from './parts/loading';
import { outsideCallers } from './parts/outside-callers';
import { paying } from './parts/paying';
import { triggers } from './parts/triggers';
import { ending } from './parts/ending';
import { n8n, startRig, stopRig, version } from '../support/n8n/rig';

beforeAll(startRig, 15 * 60_000);
afterAll(stopRig, 60_000);

describe(`In n8n ${version}`, () => {
	loading();
	credential();
	items();
	paying();
	ending();
	triggers();
	examplesWithTables();
	examples();
	agents();
	assistantProtocol();
	outsideCallers();
	it('sends no request to a host on the internet', () => {
		expect(n8n().vendors.refusedHosts).toEqual([]);
	});
});
