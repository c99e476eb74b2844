import type { CredentialReference } from '../client/api-types';
import { pollEverySeconds } from './schedules';
import { workflow, type Workflow, type WorkflowNode } from './workflow';

export const PACKAGE = 'n8n-nodes-creator-briefing';
export const CREDENTIAL = 'creatorBriefingApi';

/** What of a node is no parameter. */
export type Settings = Partial<
	Pick<WorkflowNode, 'name' | 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>
>;
type Parameters = Record<string, unknown>;

export const start: WorkflowNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

/** A Code node that gives these items. */
export function rows(items: object[], name = 'Rows'): WorkflowNode {
	const json = JSON.stringify(items.map((item) => ({ json: item })));
	const parameters = { jsCode: `return ${json};` };
	return { name, type: 'n8n-nodes-base.code', typeVersion: 2, parameters };
}

export function products(count: number): Array<{ name: string }> {
	return Array.from({ length: count }, (_none, index) => ({ name: `Glow Serum No. ${index + 1}` }));
}

/** Does nothing. Shows what came out of an output. */
export function nothing(name: string): WorkflowNode {
	return { name, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
}

/** The nodes of this package, with a credential. */
export class OurNodes {
	/** @param pollSeconds how often nodes look: less than 15 works with a service on this machine only */
	constructor(
		readonly reference: CredentialReference,
		private readonly pollSeconds = 15,
	) {}

	get credentials(): NonNullable<WorkflowNode['credentials']> {
		return { [CREDENTIAL]: this.reference };
	}

	action(
		name: string,
		resource: string,
		operation: string,
		parameters: Parameters = {},
		settings: Settings = {},
	): WorkflowNode {
		return this.node('creatorBriefing', name, { resource, operation, ...parameters }, settings);
	}

	/** Brief → Create for the product in each item's `name`. */
	create(parameters: Parameters = {}, settings: Settings = {}): WorkflowNode {
		const all = { productName: '={{ $json.name }}', ...this.withPace(parameters) };
		return this.action('Create', 'brief', 'create', all, settings);
	}

	get(parameters: Parameters = {}, settings: Settings = {}): WorkflowNode {
		return this.action('Get', 'brief', 'get', { briefId: fromItem, ...parameters }, settings);
	}

	/** Wait Until Ready for the brief in each item's `id`. */
	wait(parameters: Parameters = {}, settings: Settings = {}): WorkflowNode {
		const all = { briefId: fromItem, ...this.withPace(parameters) };
		return this.node('creatorBriefingWait', 'Wait', all, settings);
	}

	trigger(
		triggerOn: 'hooksRefreshed' | 'briefFinished',
		parameters: Parameters = {},
	): WorkflowNode {
		const all = { triggerOn, pollTimes: pollEverySeconds(2), ...parameters };
		return this.node('creatorBriefingTrigger', 'Trigger', all);
	}

	/** n8n's own node, with our credential. */
	httpRequest(url: string, options: Parameters = {}): WorkflowNode {
		return {
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				url,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL,
				options,
			},
			credentials: this.credentials,
		};
	}

	private node(
		type: string,
		name: string,
		parameters: Parameters,
		settings: Settings = {},
	): WorkflowNode {
		return {
			name,
			type: `${PACKAGE}.${type}`,
			typeVersion: 1,
			parameters,
			credentials: this.credentials,
			...settings,
		};
	}

	private withPace(parameters: Parameters): Parameters {
		const options = { pollInterval: this.pollSeconds, ...(parameters['options'] as object) };
		return { ...parameters, options };
	}
}

const fromItem = { __rl: true, mode: 'id', value: '={{ $json.id }}' };

/** Nodes one after the other, each on the first output of the one before. */
export function chain(name: string, nodes: WorkflowNode[]): Workflow {
	const names = nodes.map((node) => node.name);
	const wires = names.slice(1).map((to, index): [string, string] => [names[index] ?? '', to]);
	return workflow(name, nodes, wires);
}
