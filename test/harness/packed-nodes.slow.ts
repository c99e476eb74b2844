import { defaultVersion, oldestVersion } from '../../harness/install/versions';
import { startN8nWithPackage, type N8nWithPackage } from '../../harness/n8n-with-package';
import { CREDENTIAL, PACKAGE } from '../../harness/workflows/package-nodes';

/** Long enough for the first start, which installs n8n. */
const STARTING_MS = 15 * 60_000;

/** What the packed nodes do is tried in `npm run test:n8n`. Here n8n only has to find all of them in the tarball. */
describe.each([oldestVersion, defaultVersion])('n8n %s, given the packed nodes', (version) => {
	let n8n: N8nWithPackage;

	beforeAll(async () => {
		n8n = await startN8nWithPackage({ version });
	}, STARTING_MS);

	afterAll(async () => {
		await n8n.dispose();
	}, 60_000);

	it('has loaded its three nodes and its credential', async () => {
		const names = (await n8n.client.nodeTypes()).map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining([
				`${PACKAGE}.creatorBriefing`,
				`${PACKAGE}.creatorBriefingWait`,
				`${PACKAGE}.creatorBriefingTrigger`,
			]),
		);
		const credentials = await n8n.client.credentialTypes();
		expect(credentials.map(({ name }) => name)).toContain(CREDENTIAL);
	});
});
