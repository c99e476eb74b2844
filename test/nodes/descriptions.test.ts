import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { CreatorBriefingTrigger } from '../../nodes/CreatorBriefingTrigger/CreatorBriefingTrigger.node';
import { CreatorBriefingWait } from '../../nodes/CreatorBriefingWait/CreatorBriefingWait.node';
import { BRIEF_STATUSES, HOOK_CATEGORIES, HOOK_SORTS } from '../../service/resources';

const root = join(__dirname, '..', '..');
const action = new CreatorBriefing().description;
const wait = new CreatorBriefingWait().description;
const trigger = new CreatorBriefingTrigger().description;

/** The parameters that are shown with these values. */
function shown(
	{ properties }: Pick<INodeTypeDescription, 'properties'>,
	values: Record<string, string>,
): Record<string, INodeProperties> {
	const visible = properties.filter(({ displayOptions }) =>
		Object.entries(displayOptions?.show ?? {}).every(
			([name, allowed]) => !(name in values) || (allowed as unknown[]).includes(values[name]),
		),
	);
	return Object.fromEntries(visible.map((property) => [property.name, property]));
}

function optionNames(property: INodeProperties | undefined): string[] {
	return (property?.options ?? []).map(({ name }) => name).sort();
}

function optionOf(property: INodeProperties | undefined, name: string): INodeProperties {
	return (property?.options as INodeProperties[]).find((option) => option.name === name)!;
}

function values(property: INodeProperties | undefined): unknown[] {
	return (property?.options as INodePropertyOptions[]).map(({ value }) => value);
}

// Workflows that people have saved hold these names: a change here breaks them.
describe('names that saved workflows depend on', () => {
	it('of the nodes and their credential', () => {
		expect([action, wait, trigger].map(({ name, version }) => [name, version])).toEqual([
			['creatorBriefing', 1],
			['creatorBriefingWait', 1],
			['creatorBriefingTrigger', 1],
		]);
		for (const { credentials } of [action, wait, trigger]) {
			expect(credentials).toEqual([{ name: 'creatorBriefingApi', required: true }]);
		}
		const credential = new CreatorBriefingApi();
		expect(credential.name).toBe('creatorBriefingApi');
		expect(credential.properties.map(({ name }) => name)).toEqual(['baseUrl', 'apiKey']);
	});

	it('of the resources and operations', () => {
		expect(values(shown(action, {})['resource'])).toEqual(['brief', 'hook', 'licence']);
		const operations = (resource: string) => values(shown(action, { resource })['operation']);
		expect(operations('brief')).toEqual(['create', 'get', 'getAll']);
		expect(operations('hook')).toEqual(['getAll']);
		expect(operations('licence')).toEqual(['getAllowance', 'getAll']);
	});

	it('of Brief → Create', () => {
		const parameters = shown(action, { resource: 'brief', operation: 'create' });
		expect(Object.keys(parameters)).toEqual(
			expect.arrayContaining([
				'productName',
				'additionalFields',
				'waitUntilReady',
				'simplify',
				'options',
			]),
		);
		expect(parameters['costNotice']!.displayName).toMatch(/one brief from the monthly allowance/);
		expect(parameters['waitUntilReady']!.default).toBe(false);
		expect(optionNames(parameters['additionalFields'])).toEqual([
			'approvedFacts',
			'audience',
			'campaignTerms',
			'creativeDirection',
			'idempotencyKey',
			'objective',
			'productId',
			'referenceUrls',
		]);
		expect(optionNames(parameters['options'])).toEqual([
			'markdownFile',
			'maxBriefs',
			'outputDataFieldName',
			'pollInterval',
			'timeout',
			'whenSlotsBusy',
		]);
		expect(values(optionOf(parameters['options'], 'whenSlotsBusy'))).toEqual(['stop', 'wait']);
	});

	it('of Brief → Get and Get Many', () => {
		const get = shown(action, { resource: 'brief', operation: 'get' });
		expect(Object.keys(get)).toEqual(expect.arrayContaining(['briefId', 'simplify', 'options']));
		expect(get['briefId']!.modes!.map(({ name }) => name)).toEqual(['list', 'id', 'url']);
		expect(optionNames(get['options'])).toEqual(['markdownFile', 'outputDataFieldName']);
		const many = shown(action, { resource: 'brief', operation: 'getAll' });
		expect(Object.keys(many)).toEqual(expect.arrayContaining(['returnAll', 'limit', 'filters']));
		expect(values(optionOf(many['filters'], 'status')).sort()).toEqual(
			['', ...BRIEF_STATUSES].sort(),
		);
	});

	it('of Hook → Get Many', () => {
		const parameters = shown(action, { resource: 'hook', operation: 'getAll' });
		expect(Object.keys(parameters)).toEqual(
			expect.arrayContaining(['categories', 'limit', 'simplify', 'options']),
		);
		expect(values(parameters['categories']).sort()).toEqual([...HOOK_CATEGORIES].sort());
		expect(optionNames(parameters['options'])).toEqual(['q', 'sort']);
		expect(values(optionOf(parameters['options'], 'sort')).sort()).toEqual([...HOOK_SORTS].sort());
	});

	it('of Wait Until Ready', () => {
		const parameters = shown(wait, {});
		expect(Object.keys(parameters)).toEqual([
			...['toolDescription', 'descriptionType', 'briefId', 'simplify', 'options'],
		]);
		expect(optionNames(parameters['options'])).toEqual([
			'markdownFile',
			'outputDataFieldName',
			'pollInterval',
			'timeout',
		]);
		expect(wait.outputNames).toEqual(['Ready', 'Failed']);
	});

	it('of the trigger', () => {
		const parameters = shown(trigger, { triggerOn: 'hooksRefreshed' });
		expect(Object.keys(parameters)).toEqual([
			...['triggerOn', 'hooksNotice', 'categories', 'output', 'onlyNewHooks', 'simplify'],
			'options',
		]);
		expect(parameters['onlyNewHooks']!.default).toBe(false);
		expect(values(parameters['triggerOn'])).toEqual(['briefFinished', 'hooksRefreshed']);
		expect(values(parameters['output'])).toEqual(['hooks', 'refresh']);
		expect(optionNames(parameters['options'])).toEqual(['checkInterval', 'limit', 'q', 'sort']);
		expect(optionOf(parameters['options'], 'checkInterval').default).toBe(15);
		const forBriefs = shown(trigger, { triggerOn: 'briefFinished' });
		expect(Object.keys(forBriefs)).toEqual(['triggerOn', 'briefsNotice', 'simplify', 'options']);
		expect(forBriefs['briefsNotice']!.displayName).toMatch(/Create .* never ends/);
		expect(optionNames(forBriefs['options'])).toEqual(['whenPublishedAgain']);
		const again = optionOf(forBriefs['options'], 'whenPublishedAgain');
		expect([again.default, values(again)]).toEqual(['catchUp', ['catchUp', 'fromNow']]);
	});
});

describe('what people and agents read', () => {
	const everything = [action, wait, trigger].flatMap(({ properties }) => all(properties));

	function all(properties: INodeProperties[]): INodeProperties[] {
		return properties.flatMap((property) => {
			const nested = (property.options ?? []).filter((option) => 'type' in option);
			return [property, ...all(nested)];
		});
	}

	it('ends with a full stop where it is more than one sentence, and only there', () => {
		const texts = everything.flatMap(({ description, options }) => [
			description,
			...(options ?? []).map((option) =>
				'description' in option ? option.description : undefined,
			),
		]);
		for (const text of texts.filter((text) => text !== undefined && text !== '')) {
			const sentences = text!.split(/\. [A-Z0-9]/).length;
			expect([text, text!.endsWith('.')]).toEqual([text, sentences > 1]);
		}
	});

	it('is shown under conditions that have values, for n8n 1.85 stops at one that has none', () => {
		for (const { displayOptions = {} } of everything) {
			for (const rule of Object.values(displayOptions)) expect(rule).toBeDefined();
		}
	});

	it('has an example in every placeholder of a text field', () => {
		const placeholders = everything
			.filter(({ type }) => type === 'string')
			.map(({ placeholder }) => placeholder)
			.filter((placeholder) => placeholder !== undefined);
		for (const placeholder of placeholders) expect(placeholder).toMatch(/^e\.g\. /);
	});

	it('tells an agent what an operation acts on', () => {
		const operations = action.properties.filter(({ name }) => name === 'operation');
		const actions = operations.flatMap(({ options }) =>
			(options as INodePropertyOptions[]).map((option) => option.action),
		);
		expect(actions).toEqual([
			'Create brief',
			'Get brief',
			'Get many briefs',
			'Get many hooks of winning videos',
			'Get monthly brief allowance',
			'Get many licences',
		]);
	});

	it('can be used as tools, but for the trigger', () => {
		expect([action, wait, trigger].map(({ usableAsTool }) => usableAsTool)).toEqual([
			true,
			true,
			undefined,
		]);
	});
});

describe('files beside a node', () => {
	it.each([
		['CreatorBriefing', action],
		['CreatorBriefingWait', wait],
		['CreatorBriefingTrigger', trigger],
	])(
		'%s: two different icons, and a codex with categories, aliases and links',
		(name, { icon }) => {
			const folder = join(root, 'nodes', name);
			const { light, dark } = icon as { light: string; dark: string };
			const [one, other] = [light, dark].map((path) =>
				readFileSync(resolve(folder, path.replace('file:', '')), 'utf8'),
			);
			expect(one).toMatch(/^<svg [^>]*viewBox="0 0 60 60"/);
			expect(one).toMatch(/<rect width="60" height="60"/);
			expect(other).not.toBe(one);
			const codex = JSON.parse(readFileSync(join(folder, `${name}.node.json`), 'utf8')) as {
				categories: string[];
				alias: string[];
				resources: { primaryDocumentation: Array<{ url: string }> };
			};
			expect(codex.categories).toContain('Marketing');
			expect(codex.alias.length).toBeGreaterThan(3);
			expect(codex.resources.primaryDocumentation[0]!.url).toMatch(/^https:\/\//);
		},
	);

	// The panel's search takes words as they stand (docs/n8n-behaviour.md, “The panel's search takes words as they stand”).
	it.each([
		...[
			'hook',
			'hooks',
			'brief',
			'briefs',
			'creator',
			'creators',
			'trend',
			'trends',
			'winning hooks',
		],
		...['license', 'licence', 'allowance', 'ugc', 'influencer', 'tiktok shop'],
	])('finds the node for: %s', (words) => {
		const codex = readFileSync(
			join(root, 'nodes/CreatorBriefing/CreatorBriefing.node.json'),
			'utf8',
		);
		const { alias } = JSON.parse(codex) as { alias: string[] };
		expect(alias.map((each) => each.toLowerCase())).toContain(words);
	});

	it.each(['CreatorBriefing', 'CreatorBriefingWait', 'CreatorBriefingTrigger'])(
		'%s is found by hooks and tiktok, which people look for first',
		(name) => {
			const codex = readFileSync(join(root, 'nodes', name, `${name}.node.json`), 'utf8');
			const { alias } = JSON.parse(codex) as { alias: string[] };
			expect(alias).toEqual(expect.arrayContaining(['Hooks', 'TikTok Shop']));
		},
	);

	it('the node that waits has an icon of its own', () => {
		expect(wait.icon).not.toEqual(action.icon);
		expect(JSON.stringify(wait.icon)).not.toContain('../');
	});

	it('the text that n8n shows for trigger and actions together leads to the node that waits', () => {
		expect(trigger.description).toMatch(/^Have creator briefs written.* start when/);
		expect(trigger.description).toContain(wait.displayName);
	});

	it('none selected is said to mean all categories', () => {
		for (const [node, values] of [
			[action, { resource: 'hook', operation: 'getAll' }],
			[trigger, { triggerOn: 'hooksRefreshed' }],
		] as const) {
			expect(shown(node, values)['categories']).toMatchObject({
				default: [],
				hint: 'None selected means all categories',
			});
		}
	});

	it('the credential finds its icons', () => {
		const { light, dark } = new CreatorBriefingApi().icon as { light: string; dark: string };
		for (const path of [light, dark]) {
			expect(existsSync(resolve(root, 'credentials', path.replace('file:', '')))).toBe(true);
		}
	});
});
