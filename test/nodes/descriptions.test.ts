import type {
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { CreatorBriefingTrigger } from '../../nodes/CreatorBriefingTrigger/CreatorBriefingTrigger.node';
import { CreatorBriefingWait } from '../../nodes/CreatorBriefingWait/CreatorBriefingWait.node';
import { HOOK_CATEGORIES, HOOK_SORTS } from '../../core/api/types';
import { makeWorkflow } from '../support/engine/engine';

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
		expect(wait.outputNames).toEqual(['Ready', 'Failed']);
	});

	const create = { resource: 'brief', operation: 'create' };
	const get = { resource: 'brief', operation: 'get' };
	const getMany = { resource: 'brief', operation: 'getAll' };
	const hooks = { resource: 'hook', operation: 'getAll' };
	const onHooks = { triggerOn: 'hooksRefreshed' };
	const onBriefs = { triggerOn: 'briefFinished' };

	it.each([
		[
			action,
			create,
			'productName additionalFields waitUntilReady maxBriefs checkOnly simplify includeInputFields options costNotice',
			'markdownFile outputDataFieldName pollInterval reuseWithinDays timeout whenSlotsBusy',
		],
		[action, get, 'briefId simplify options', 'markdownFile outputDataFieldName'],
		[action, getMany, 'returnAll limit filters', ''],
		[action, hooks, 'categories returnAll limit simplify options', 'q sort'],
		[
			wait,
			{},
			'briefId outputsNotice simplify includeInputFields options',
			'markdownFile outputDataFieldName pollInterval timeout',
		],
		[
			trigger,
			onHooks,
			'triggerOn hooksNotice categories output onlyNewHooks simplify options',
			'checkInterval limit q sort',
		],
		[
			trigger,
			onBriefs,
			'triggerOn outcome simplify options',
			'markdownFile outputDataFieldName whenPublishedAgain',
		],
	])('of parameters and options: $name %j', (node, given, parameters, options) => {
		const names = shown(node, given);
		expect(Object.keys(names)).toEqual(expect.arrayContaining(parameters.split(' ')));
		expect(optionNames(names['options']).join(' ')).toBe(options);
	});

	it.each([
		['resources', action, {}, 'resource', 'brief hook licence'],
		['operations of briefs', action, { resource: 'brief' }, 'operation', 'create get getAll'],
		['operations of hooks', action, { resource: 'hook' }, 'operation', 'getAll'],
		['operations of licences', action, { resource: 'licence' }, 'operation', 'getAllowance getAll'],
		['briefs that exist', action, create, 'whenBriefExists', 'orderAnother use useUnlessFailed'],
		['busy slots', action, create, 'options.whenSlotsBusy', 'stop wait'],
		['categories', action, hooks, 'categories', HOOK_CATEGORIES],
		['orders of hooks', action, hooks, 'options.sort', HOOK_SORTS],
		[
			'statuses',
			action,
			getMany,
			'filters.status',
			' checking failed queued ready researching writing',
		],
		['events', trigger, {}, 'triggerOn', 'briefFinished hooksRefreshed'],
		['outputs', trigger, onHooks, 'output', 'hooks refresh'],
		['outcomes', trigger, onBriefs, 'outcome', 'both failed ready'],
		['publishing again', trigger, onBriefs, 'options.whenPublishedAgain', 'catchUp fromNow'],
	])('of values: %s', (_, node, given, path, expected) => {
		const [name = '', option] = path.split('.');
		const parameter = shown(node, given)[name];
		const found = values(option === undefined ? parameter : optionOf(parameter, option));
		const names = typeof expected === 'string' ? expected.split(' ') : [...expected];
		expect(found.sort()).toEqual(names.sort());
	});

	it('of additional fields, and the defaults', () => {
		const parameters = shown(action, create);
		expect(optionNames(parameters['additionalFields'])).toEqual([
			...['campaignTerms', 'creativeDirection', 'objective', 'productId', 'referenceUrls'],
		]);
		expect(parameters['whenBriefExists']!.default).toBe('use');
		expect([parameters['maxBriefs']!.default, parameters['checkOnly']!.default]).toEqual([
			25,
			false,
		]);
		for (const ofAnother of ['anotherNotice', 'idempotencyKey']) {
			const { displayOptions } = parameters[ofAnother]!;
			expect(displayOptions!.show).toMatchObject({ whenBriefExists: ['orderAnother'] });
		}
		for (const onForm of ['audience', 'approvedFacts'])
			expect(parameters[onForm]!.required).toBeUndefined();
		expect(parameters['costNotice']!.displayName).toMatch(
			/uses one brief from the monthly allowance/,
		);
		expect(parameters['waitUntilReady']!.default).toBe(false);
		const modes = shown(action, get)['briefId']!.modes!.map(({ name }) => name);
		expect(modes).toEqual(['list', 'id', 'url']);
		const forHooks = shown(trigger, onHooks);
		expect(forHooks['onlyNewHooks']!.default).toBe(false);
		expect(optionOf(forHooks['options'], 'checkInterval').default).toBe(15);
		const forBriefs = shown(trigger, onBriefs);
		expect(forBriefs['simplify']!.default).toBe(true);
		expect(optionOf(forBriefs['options'], 'whenPublishedAgain').default).toBe('catchUp');
	});
});

describe('the canvas', () => {
	const shownBelow = (description: INodeTypeDescription, parameters: INodeParameters) => {
		const node = { name: 'Node', type: 'creatorBriefing', parameters };
		const { expression } = makeWorkflow([node]);
		const shown = makeWorkflow([node]).getNode('Node')!;
		return expression.getSimpleParameterValue(shown, description.subtitle, 'internal', {});
	};

	it.each(['brief', 'hook', 'licence'])(
		'shows the name of the action below the node: %s',
		(resource) => {
			const { operation } = shown(action, { resource });
			for (const { value, action: name } of operation!.options as INodePropertyOptions[])
				expect(shownBelow(action, { resource, operation: value })).toBe(name);
		},
	);

	it('shows it of a node that was just added', () => {
		expect(shownBelow(action, {})).toBe('Create brief');
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

	it('can be used as tools, but for the trigger', () => {
		expect([action, wait, trigger].map(({ usableAsTool }) => usableAsTool)).toEqual([
			true,
			true,
			undefined,
		]);
	});
});

it('the text that n8n shows for trigger and actions together leads to the node that waits', () => {
	expect(trigger.description).toMatch(/^Have creator briefs written.* start when/);
	expect(trigger.description).toContain(wait.displayName);
});
