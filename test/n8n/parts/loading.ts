import { N8nEditor } from '../../../harness/client/editor';
import { start } from '../../../harness/workflows/built-in-nodes';
import { client, isNewest, n8n, serviceWith, testWorkflow } from '../../support/n8n/rig';
import { PACKAGE } from '../../../harness/workflows/package-nodes';
import type { NodeTypeDescription } from '../../../harness/client/api-types';

const NODES = ['creatorBriefing', 'creatorBriefingWait', 'creatorBriefingTrigger'];

export function loading(): void {
	describe('the package', () => {
		it('holds the nodes, the credential and what they share, and nothing else', () => {
			const { files } = n8n().packedPackage;
			const allowed =
				/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/(nodes|credentials|core)\/.+\.(js|d\.ts|json|svg))$/;
			expect(files.filter((file) => !allowed.test(file))).toEqual([]);
			expect(files).toContain('dist/core/api/client.js');
		});

		// Older versions have no previews.
		(isNewest ? it : it.skip)(
			'serves previews of its outputs, so that later nodes can be mapped',
			async () => {
				const type = (name: string) => `${client().baseUrl}/schemas/${PACKAGE}.${name}/1.0.0`;
				for (const url of [
					`${type('creatorBriefing')}/brief/create.json`,
					`${type('creatorBriefingWait')}.json`,
				]) {
					const answer = await fetch(url);
					expect(answer.status).toBe(200);
					expect(await answer.json()).toMatchObject({ properties: { id: { type: 'string' } } });
				}
			},
		);

		it('shows on the canvas that a node only checks', async () => {
			const { nodes } = await serviceWith();
			const checking = { ...nodes.create({ checkOnly: true }), name: 'Checking' };
			const saved = await client().createWorkflow(testWorkflow([start, nodes.create(), checking]));
			const editor = await N8nEditor.open(client());
			try {
				await editor.openWorkflow(saved.id);
				const subtitle = (name: string) => editor.node(name).innerText();
				expect(await subtitle('Create')).toMatch(/Create brief$/);
				expect(await subtitle('Checking')).toMatch(/Create brief \(Check Only\)$/);
			} finally {
				await editor.close();
			}
		});

		it('serves its icons, one for light and one for dark', async () => {
			const types = await ourTypes();
			const credentials = await client().credentialTypes();
			const described = [
				...NODES.map((name) => named(types, name)),
				credentials.find(({ name }) => name === 'creatorBriefingApi'),
			];
			for (const type of described) {
				const urls = Object.values(type?.['iconUrl'] as Record<string, string>);
				expect(urls).toHaveLength(2);
				for (const url of urls) {
					const answer = await fetch(`${client().baseUrl}/${url}`);
					expect(answer.status).toBe(200);
					expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
					expect(await answer.text()).toMatch(/<svg/);
				}
			}
		});
	});
}

/** Returns our node types, by their names within the package. */
async function ourTypes(): Promise<NodeTypeDescription[]> {
	const prefix = `${PACKAGE}.`;
	const types = (await client().nodeTypes()).filter(({ name }) => name.startsWith(prefix));
	return types.map((type) => ({ ...type, name: type.name.slice(prefix.length) }));
}

function named(types: NodeTypeDescription[], name: string): NodeTypeDescription {
	const type = types.find((each) => each.name === name);
	if (!type) throw new Error(`There is no node type ${name}.`);
	return type;
}
