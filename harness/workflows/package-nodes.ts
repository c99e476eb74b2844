import type { CredentialReference } from '../client/api-types';
import type { WorkflowNode } from './workflow';

export const PACKAGE = 'n8n-nodes-creator-briefing';
export const CREDENTIAL_TYPE = 'creatorBriefingApi';

type Parameters = Record<string, unknown>;

/** The settings of a node other than its parameters. */
type NodeSettings = Partial<
	Pick<WorkflowNode, 'name' | 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>
>;

const BRIEF_OF_ITEM = { __rl: true, mode: 'id', value: '={{ $json.id }}' };

/** Builds the nodes of this package, with a credential. */
export class PackageNodes {
	/** @param pollSeconds the Poll Interval. Less than 15 is only possible for a service on this machine. */
	constructor(
		readonly reference: CredentialReference,
		private readonly pollSeconds = 15,
	) {}

	action(
		name: string,
		resource: string,
		operation: string,
		parameters: Parameters = {},
		settings: NodeSettings = {},
	): WorkflowNode {
		return this.node(
			'creatorBriefing',
			{ resource, operation, ...parameters },
			{ name, ...settings },
		);
	}

	/** Brief → Create, for the product in the `name` of each item. */
	create(parameters: Parameters = {}, settings: NodeSettings = {}): WorkflowNode {
		const all = { productName: '={{ $json.name }}', ...this.withPollInterval(parameters) };
		return this.action('Create', 'brief', 'create', all, settings);
	}

	/** Brief → Get, for the brief in the `id` of each item. */
	get(parameters: Parameters = {}): WorkflowNode {
		return this.action('Get', 'brief', 'get', { briefId: BRIEF_OF_ITEM, ...parameters });
	}

	/** Wait Until Ready, for the brief in the `id` of each item. */
	wait(parameters: Parameters = {}, settings: NodeSettings = {}): WorkflowNode {
		const all = { briefId: BRIEF_OF_ITEM, ...this.withPollInterval(parameters) };
		return this.node('creatorBriefingWait', all, { name: 'Wait', ...settings });
	}

	/** A trigger that polls every two seconds. */
	trigger(
		triggerOn: 'hooksRefreshed' | 'briefFinished',
		parameters: Parameters = {},
	): WorkflowNode {
		const pace = { pollTimes: pollEverySeconds(2) };
		return this.node(
			'creatorBriefingTrigger',
			{ triggerOn, ...pace, ...parameters },
			{ name: 'Trigger' },
		);
	}

	/** n8n's HTTP Request node, with the credential of this package. */
	httpRequest(url: string, options: Parameters = {}): WorkflowNode {
		const authentication = 'predefinedCredentialType';
		return {
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url, authentication, nodeCredentialType: CREDENTIAL_TYPE, options },
			credentials: { [CREDENTIAL_TYPE]: this.reference },
		};
	}

	private node(
		type: string,
		parameters: Parameters,
		settings: NodeSettings & { name: string },
	): WorkflowNode {
		const credentials = { [CREDENTIAL_TYPE]: this.reference };
		return { type: `${PACKAGE}.${type}`, typeVersion: 1, parameters, credentials, ...settings };
	}

	private withPollInterval(parameters: Parameters): Parameters {
		const options = { pollInterval: this.pollSeconds, ...(parameters['options'] as object) };
		return { ...parameters, options };
	}
}

/**
 * Returns the Poll Times of a trigger that polls every few seconds. n8n refuses a poll time that is due more than once a
 * minute, but accepts many poll times.
 */
export function pollEverySeconds(seconds: number): { item: object[] } {
	const item = Array.from({ length: Math.ceil(60 / seconds) }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	}));
	return { item };
}
