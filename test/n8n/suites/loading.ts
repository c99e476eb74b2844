import { PACKAGE } from '../../../harness/workflows/package-nodes';
import { client, n8n, testInNewest } from '../../support/n8n/rig';

const NODES = ['creatorBriefing', 'creatorBriefingWait', 'creatorBriefingTrigger'];

export function loading(): void {
	describe('the package', () => {
		test('has the nodes, the credential and core, and no other file', () => {
			const { files } = n8n().packedPackage;
			const allowed =
				/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/(nodes|credentials|core)\/.+\.(js|d\.ts|json|svg))$/;
			expect(files.filter((file) => !allowed.test(file))).toEqual([]);
			expect(files).toContain('dist/core/api/client.js');
		});

		// Older versions have no previews.
		testInNewest('serves previews of its outputs, so that later nodes can be mapped', async () => {
			for (const path of ['creatorBriefing/1.0.0/brief/create', 'creatorBriefingWait/1.0.0']) {
				const answer = await fetch(`${client().baseUrl}/schemas/${PACKAGE}.${path}.json`);
				expect(answer.status).toBe(200);
				expect(await answer.json()).toMatchObject({ properties: { id: { type: 'string' } } });
			}
		});

		test('serves its icons, for a light and for a dark page', async () => {
			const types = [
				...(await client().listNodeTypes()),
				...(await client().listCredentialTypes()),
			];
			for (const name of [...NODES.map((node) => `${PACKAGE}.${node}`), 'creatorBriefingApi']) {
				const type = types.find((each) => each.name === name);
				const urls = Object.values(type?.['iconUrl'] as Record<string, string>);
				expect(urls).toHaveLength(2);
				for (const url of urls) {
					const answer = await fetch(`${client().baseUrl}/${url}`);
					expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
					expect(await answer.text()).toMatch(/<svg/);
				}
			}
		});
	});
}
