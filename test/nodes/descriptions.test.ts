import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import { CreatorBriefing } from '../../nodes/CreatorBriefing/CreatorBriefing.node';
import { CreatorBriefingTrigger } from '../../nodes/CreatorBriefingTrigger/CreatorBriefingTrigger.node';
import { CreatorBriefingWait } from '../../nodes/CreatorBriefingWait/CreatorBriefingWait.node';
import { makeWorkflow } from '../support/engine/engine';

const NODES = [CreatorBriefing, CreatorBriefingWait, CreatorBriefingTrigger];
const descriptions = NODES.map((Type) => new Type().description);

/** The parameters of a saved workflow, with their defaults (a tool can have another default) and their values or modes. */
const PARAMETERS = [
	`resource "brief" (brief hook licence)
	operation "create" (create get getAll)
	mappingMode "defineBelow" (defineBelow autoMapInputData)
	productName ""
	audience ""
	approvedFacts ""
	whenBriefExists "use" (use useUnlessFailed)
	waitUntilReady false
	maxBriefs 25
	maxBriefs 1
	checkOnly false
	simplify true
	includeInputFields false
	additionalFields {}
	additionalFields.campaignTerms ""
	additionalFields.creativeDirection ""
	additionalFields.objective ""
	additionalFields.productId ""
	additionalFields.referenceUrls []
	options {}
	options.markdownFile false
	options.outputDataFieldName "data"
	options.pollInterval 15
	options.reuseWithinDays 90
	options.timeout 90
	briefId {"mode":"list","value":""} (list id url)
	briefId {"mode":"id","value":""} (list id url)
	returnAll false
	limit 50
	limit 10
	filters {}
	filters.status "ready" ( checking failed queued ready researching writing)
	operation "getAll" (getAll)
	categories [] (Beauty & skincare Fashion Home & kitchen Personal care Tech & gadgets Wellness)
	options.q ""
	sort {}
	sort.sortBy "score" (newest score units_sold views)
	operation "getAllowance" (getAllowance getAll)`,
	`briefId {"mode":"list","value":""} (list id url)
	briefId {"mode":"id","value":""} (list id url)
	simplify true
	includeInputFields false
	options {}
	options.markdownFile false
	options.outputDataFieldName "data"
	options.pollInterval 15
	options.timeout 30`,
	`triggerOn "hooksRefreshed" (briefFinished hooksRefreshed)
	categories [] (Beauty & skincare Fashion Home & kitchen Personal care Tech & gadgets Wellness)
	output "hooks" (hooks refresh)
	onlyNewHooks false
	outcome "both" (both ready failed)
	simplify true
	options {}
	options.limit 50
	options.q ""
	sort {}
	sort.sortBy "score" (newest score units_sold views)
	options.markdownFile false
	options.outputDataFieldName "data"`,
];

/** Returns parameters and their options. Notices have no value, and descriptions of tools are free to change. */
function listProperties(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const { name, type, options = [] } = property;
		if (type === 'notice' || /^(toolDescription|descriptionType)$/.test(name)) return [];
		const nested = options.filter((option): option is INodeProperties => 'type' in option);
		const named = nested.map((option) => ({ ...option, name: `${name}.${option.name}` }));
		return [property, ...listProperties(named)];
	});
}

function toLine({ name, default: value, options = [], modes = [] }: INodeProperties): string {
	const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
	const choices = [...values, ...modes.map((mode) => mode.name)];
	const suffix = choices.length === 0 ? '' : ` (${choices.join(' ')})`;
	return `${name} ${JSON.stringify(value)}${suffix}`;
}

describe('the properties that saved workflows depend on', () => {
	test('are the names and versions of nodes, credential and outputs', () => {
		const credentials = [{ name: 'creatorBriefingApi', required: true }];
		expect(descriptions).toMatchObject([
			{ name: 'creatorBriefing', version: 1, credentials },
			{
				name: 'creatorBriefingWait',
				version: 1,
				credentials,
				outputNames: ['Ready', 'Failed', 'Not Ordered'],
			},
			{ name: 'creatorBriefingTrigger', version: 1, credentials },
		]);
		const { name, properties } = new CreatorBriefingApi();
		expect([name, ...properties.map((property) => property.name)]).toEqual([
			...['creatorBriefingApi', 'baseUrl', 'apiKey'],
		]);
	});

	test.each([0, 1, 2])('are the parameters, values and defaults of node %d', (index) => {
		const lines = listProperties(descriptions[index]!.properties).map(toLine);
		expect([...new Set(lines)]).toEqual(PARAMETERS[index]!.split('\n').map((line) => line.trim()));
	});
});

test('the credential names the tools to tick for each use of the key', () => {
	const [, { description = '' } = {}] = new CreatorBriefingApi().properties;
	for (const use of ['Account for the credential test', 'Creator Briefs for briefs'])
		expect(description).toContain(use);
	expect(description).toContain('ContentIQ for hooks');
});

test('shows the action below the node on the canvas, also below a node that was just added', () => {
	const [{ properties, subtitle }] = descriptions as [(typeof descriptions)[0]];
	const getSubtitle = (parameters: INodeParameters) => {
		const workflow = makeWorkflow([{ name: 'Node', type: 'creatorBriefing', parameters }]);
		const node = workflow.getNode('Node')!;
		return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	};
	expect(getSubtitle({})).toBe('Create brief');
	for (const { name, displayOptions, options } of properties.filter(
		(each) => each.name === 'operation',
	)) {
		const [resource] = displayOptions!.show!['resource'] as string[];
		for (const { value, action } of options as INodePropertyOptions[])
			expect(getSubtitle({ resource, [name]: value })).toBe(action);
	}
});

test('shows parameters under conditions that have values, because n8n 1.85 stops at a condition without', () => {
	for (const { displayOptions = {} } of descriptions.flatMap(({ properties }) => properties))
		for (const rule of Object.values(displayOptions)) expect(rule).toBeDefined();
});

test('offers the nodes as tools, except the trigger', () => {
	expect(descriptions.map(({ usableAsTool }) => usableAsTool)).toEqual([true, true, undefined]);
});
