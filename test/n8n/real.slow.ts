import { readdirSync } from 'node:fs';
import { exampleFolder } from '../../harness/workflows/examples';
import { imported } from '../support/n8n/examples';
import { n8n, startRig, stopRig, testInNewest, version } from '../support/n8n/rig';
import { agents } from './suites/agents';
import { asleep } from './suites/asleep';
import { credential } from './suites/credential';
import { examples } from './suites/examples';
import { humanReview } from './suites/human-review';
import { loading } from './suites/loading';
import { loops } from './suites/loops';
import { mcpClient } from './suites/mcp-client';
import { mcpServer } from './suites/mcp-server';
import { outputs } from './suites/outputs';
import { paying } from './suites/paying';
import { productTables } from './suites/product-tables';
import { stop } from './suites/stop';
import { triggers } from './suites/triggers';

beforeAll(startRig, 15 * 60_000);
afterAll(stopRig, 60_000);

describe(`In n8n ${version}`, () => {
	loading();
	credential();
	outputs();
	paying();
	loops();
	stop();
	triggers();
	productTables();
	asleep();
	examples();
	agents();
	humanReview();
	mcpClient();
	mcpServer();

	// Older versions lack nodes of some examples.
	testInNewest('every example was imported', () => {
		const files = readdirSync(exampleFolder).filter((file) => file.endsWith('.json'));
		expect([...imported].sort()).toEqual(files);
	});

	test('sends no request to a host on the internet', () => {
		expect(n8n().vendors.refusedHosts).toEqual([]);
	});
});
