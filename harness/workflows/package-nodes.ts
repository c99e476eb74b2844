import type { CredentialReference } from '../client/api-types';
import { pollEverySeconds } from './schedules';
import type { WorkflowNode } from './workflow';

export const PACKAGE = 'n8n-nodes-creator-briefing';
export const CREDENTIAL_TYPE = 'creatorBriefingApi';

/** The settings of a node beside its parameters. */
type NodeSettings = Partial<
	Pick<WorkflowNode, 'name' | 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>
>;
type Parameters = Record<string, unknown>;

/** The nodes of this package, with a credential. */
export class PackageNodes {
	/** @param pollSeconds the nodes’ Poll Interval: they take less than 15 for a service on this machine only */
	constructor(
		readonly reference: CredentialReference,
		private readonly pollSeconds = 15,
	) {}

	get credentials(): NonNullable<WorkflowNode['credentials']> {
		return { [CREDENTIAL_TYPE]: this.reference };
	}

	action(
		name: string,
		resource: string,
		operation: string,
		parameters: Parameters = {},
		settings: NodeSettings = {},
	): WorkflowNode {
		return this.node('creatorBriefing', name, { resource, operation, ...parameters }, settings);
	}

	/** Brief → Create for the product in each item's `name`. */
	create(parameters: Parameters = {}, settings: NodeSettings = {}): WorkflowNode {
		const all = { productName: '={{ $json.name }}', ...this.withPace(parameters) };
		return this.action('Create', 'brief', 'create', all, settings);
	}

	get(parameters: Parameters = {}, settings: NodeSettings = {}): WorkflowNode {
		return this.action('Get', 'brief', 'get', { briefId: fromItem, ...parameters }, settings);
	}

	/** Wait Until Ready for the brief in each item's `id`. */
	wait(parameters: Parameters = {}, settings: NodeSettings = {}): WorkflowNode {
		const all = { briefId: fromItem, ...this.withPace(parameters) };
		return this.node('creatorBriefingWait', 'Wait', all, settings);
	}

	/** It polls, and asks, every other second. */
	trigger(
		triggerOn: 'hooksRefreshed' | 'briefFinished',
		parameters: Parameters = {},
	): WorkflowNode {
		const pace = { pollTimes: pollEverySeconds(2), options: { checkInterval: 0 } };
		const all = { triggerOn, ...pace, ...parameters };
		return this.node('creatorBriefingTrigger', 'Trigger', all);
	}

	/** n8n's own HTTP Request node, with the credential of this package. */
	httpRequest(url: string, options: Parameters = {}): WorkflowNode {
		return {
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				url,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: CREDENTIAL_TYPE,
				options,
			},
			credentials: this.credentials,
		};
	}

	private node(
		type: string,
		name: string,
		parameters: Parameters,
		settings: NodeSettings = {},
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
