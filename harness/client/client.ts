import { pollUntil } from '../process/poll-until';
import { Execution, isOver, type ExecutionSummary, type RawExecution } from './execution';
import type {
	CredentialReference,
	CredentialTestResult,
	NodeTypeDescription,
	PublicationStatus,
} from './api-types';
import { N8nApiError, ApiSession } from './api-session';
import type { SavedWorkflow, Workflow, WorkflowNode } from '../workflows/workflow';

export const owner = {
	email: 'owner@example.com',
	password: 'Only-for-tests-1',
	firstName: 'Test',
	lastName: 'Owner',
};

const TIMEOUT = { timeoutMs: 60_000 };

/** What a person does in n8n's editor, as calls of its interface. */
export class N8nClient {
	readonly session: ApiSession;

	constructor(readonly baseUrl: string) {
		this.session = new ApiSession(baseUrl);
	}

	/** Creates the owner of a fresh n8n, or logs in if there is one. */
	async setUpOwner(): Promise<void> {
		try {
			await this.session.post('/rest/owner/setup', owner);
		} catch (error) {
			// "Instance owner already setup"
			if (!(error instanceof N8nApiError) || error.status !== 400) throw error;
		}
		const { email, password } = owner;
		await this.session.post('/rest/login', { emailOrLdapLoginId: email, email, password });
	}

	/** Every node type n8n has loaded, the community ones included. */
	nodeTypes(): Promise<NodeTypeDescription[]> {
		return this.session.get('/types/nodes.json');
	}

	credentialTypes(): Promise<Array<{ name: string; [field: string]: unknown }>> {
		return this.session.get('/types/credentials.json');
	}

	async createCredential(
		type: string,
		name: string,
		data: Record<string, unknown>,
	): Promise<CredentialReference> {
		const { id } = await this.session.post<{ id: string }>('/rest/credentials', {
			name,
			type,
			data,
		});
		return { id, name };
	}

	async editCredential(
		{ id, name }: CredentialReference,
		type: string,
		data: Record<string, unknown>,
	): Promise<void> {
		await this.session.request('PATCH', `/rest/credentials/${id}`, { name, type, data });
	}

	async deleteCredential({ id }: CredentialReference): Promise<void> {
		await this.session.request('DELETE', `/rest/credentials/${id}`);
	}

	/** What the editor does after Save on a credential: it is saved, tested, and here also removed again. */
	async testCredential(type: string, data: Record<string, unknown>): Promise<CredentialTestResult> {
		// Old versions test nothing that is not saved.
		const credential = await this.createCredential(type, 'Under test', data);
		try {
			return await this.session.post('/rest/credentials/test', {
				credentials: { ...credential, type, data },
			});
		} finally {
			await this.deleteCredential(credential);
		}
	}

	/** Saves a workflow, as "Import from file" and Save do. Missing node IDs are made up. */
	createWorkflow(workflow: Workflow): Promise<SavedWorkflow> {
		const nodes = workflow.nodes.map((node) => ({
			id: crypto.randomUUID(),
			...(isWebhookLike(node) ? { webhookId: crypto.randomUUID() } : {}),
			...node,
		}));
		return this.session.post('/rest/workflows', {
			// Old versions insist on it.
			active: false,
			settings: {},
			// Without it, running a single node in the editor fails.
			pinData: {},
			...workflow,
			nodes,
		});
	}

	getWorkflow(id: string): Promise<SavedWorkflow> {
		return this.session.get(`/rest/workflows/${id}`);
	}

	/** Starts a workflow by hand and does not wait for it. Returns the execution's ID. */
	async startManually(workflow: SavedWorkflow): Promise<string> {
		const answer = await this.session.post<{ executionId?: string; waitingForWebhook?: boolean }>(
			`/rest/workflows/${workflow.id}/run`,
			{
				// Old versions run what is sent, new ones what is saved, and leave this unread.
				workflowData: workflow,
				triggerToStartFrom: { name: firstTrigger(workflow) },
			},
		);
		if (!answer.executionId) {
			throw new Error(
				`"${workflow.name}" starts with a webhook or form: n8n listens now and runs nothing by itself.`,
			);
		}
		return answer.executionId;
	}

	/** What the chat panel below the canvas does with a message. Returns the answer that it shows. */
	async sayInChatPanel(
		workflow: SavedWorkflow,
		sessionId: string,
		chatInput: string,
	): Promise<unknown> {
		await this.session.post(`/rest/workflows/${workflow.id}/run`, {
			triggerToStartFrom: { name: firstTrigger(workflow) },
			chatSessionId: sessionId,
		});
		const message = { action: 'sendMessage', sessionId, chatInput };
		return await this.post(`/webhook-test/${workflow.id}/${sessionId}`, message);
	}

	/** Runs a workflow by hand, to its end, whatever that is. */
	async runManually(workflow: SavedWorkflow): Promise<Execution> {
		return this.waitForEnd(await this.startManually(workflow));
	}

	/** Saves a workflow and runs it by hand. */
	async createAndRun(workflow: Workflow): Promise<Execution> {
		return this.runManually(await this.createWorkflow(workflow));
	}

	async getExecution(id: string): Promise<Execution> {
		return Execution.from(await this.session.get<RawExecution>(`/rest/executions/${id}`));
	}

	async waitForEnd(id: string, timeoutMs = TIMEOUT.timeoutMs): Promise<Execution> {
		let lastSeen = '';
		const lateText = () => `Not over after ${timeoutMs / 1000} s: ${lastSeen}`;
		const ask = async () => {
			const execution = await this.getExecution(id);
			lastSeen = execution.describe();
			// Version 1 can say that it is over a moment before it has saved what happened.
			const isSaved = execution.hasData || execution.status !== 'success';
			return isOver(execution) && isSaved ? execution : undefined;
		};
		return pollUntil(ask, { timeoutMs, lateText });
	}

	/** What the Stop button does. */
	async stopExecution(id: string): Promise<void> {
		await this.session.post(`/rest/executions/${id}/stop`);
	}

	/** What Retry in the list of executions does, with the workflow as it is saved now. Returns the new execution's ID. */
	async retryExecution(id: string): Promise<string> {
		const options = { loadWorkflow: true };
		const path = `/rest/executions/${id}/retry`;
		const retry = await this.session.post<{ id?: string } | boolean>(path, options);
		if (typeof retry === 'object' && retry.id !== undefined) return retry.id;
		// Version 1 answers when the new execution has ended, and without its ID.
		const { workflowId } = (await this.getExecution(id)).summary;
		const [newest] = await this.listExecutions(workflowId);
		return newest?.id ?? id;
	}

	/** The newest executions of a workflow, newest first, manual and running ones included. */
	async listExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const filter = JSON.stringify({ workflowId });
		const page = await this.session.get<{ results: ExecutionSummary[] }>('/rest/executions', {
			filter,
			limit: 100,
		});
		return page.results;
	}

	/** All executions of a workflow that are over, with their data, oldest first. */
	async finishedExecutions(workflowId: string): Promise<Execution[]> {
		const over = (await this.listExecutions(workflowId)).filter(isOver);
		const executions = await Promise.all(over.map(({ id }) => this.getExecution(id)));
		return executions.sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** Waits until that many executions of a workflow are over. Oldest first. */
	async waitForExecutions(workflowId: string, count: number): Promise<Execution[]> {
		let lastSeen = '';
		const lateText = () =>
			`Waited ${TIMEOUT.timeoutMs / 1000} s for ${count} executions. There are: ${lastSeen}.`;
		const ask = async () => {
			const executions = await this.listExecutions(workflowId);
			lastSeen = executions.map(({ status }) => status).join(', ') || 'none';
			const isEnough = executions.filter(isOver).length >= count;
			return isEnough ? this.finishedExecutions(workflowId) : undefined;
		};
		return pollUntil(ask, { ...TIMEOUT, everyMs: 200, lateText });
	}

	private async setActive(workflowId: string, isActive: boolean): Promise<void> {
		const path = `/rest/workflows/${workflowId}`;
		const { versionId } = await this.getWorkflow(workflowId);
		try {
			await this.session.post(`${path}/${isActive ? 'activate' : 'deactivate'}`, { versionId });
		} catch (error) {
			if (!(error instanceof N8nApiError) || error.status !== 404) throw error;
			// Version 1: to activate is to change the workflow.
			await this.session.request('PATCH', path, { active: isActive, versionId });
		}
	}

	/** Publishes and waits until the triggers are set up, or says why they are not. */
	async publishAndWait({ id }: Pick<SavedWorkflow, 'id'>): Promise<void> {
		await this.setActive(id, true);
		let lastSeen = '';
		const lateText = () => `Publishing: ${lastSeen}`;
		const ask = async () => {
			const status = await this.publicationStatus(id);
			// No status at all: a version that publishes within the call.
			if (status === undefined || status.status === 'published') return true;
			const reasons = status.triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
			lastSeen = `${status.status}. ${reasons.join(' ')}`;
			if (status.status === 'failed' || status.status === 'partial') throw new Error(lateText());
			return undefined;
		};
		await pollUntil(ask, { ...TIMEOUT, lateText });
	}

	private async publicationStatus(workflowId: string): Promise<PublicationStatus | undefined> {
		try {
			return await this.session.get(`/rest/workflows/${workflowId}/publication-status`);
		} catch (error) {
			if (error instanceof N8nApiError && error.status === 404) return undefined;
			throw error;
		}
	}

	/** Takes a workflow out of service, and waits until its triggers are gone. */
	async unpublish(workflowId: string): Promise<void> {
		await this.setActive(workflowId, false);
		let lastSeen = '';
		const lateText = () => `Unpublishing: still ${lastSeen}.`;
		const ask = async () => {
			const status = await this.publicationStatus(workflowId);
			if (status === undefined || status.status === 'not_published') return true;
			lastSeen = status.status;
			return undefined;
		};
		await pollUntil(ask, { ...TIMEOUT, lateText });
	}

	/** Calls a published webhook: a production run, started with any items one likes. */
	async callWebhook(path: string, body: unknown): Promise<unknown> {
		return await this.post(`/webhook/${path}`, body);
	}

	/** As anybody may call it, who is not logged in. */
	private async post(path: string, body: unknown): Promise<unknown> {
		const response = await fetch(this.baseUrl + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new N8nApiError('POST', path, response.status, text);
		return text === '' ? undefined : (JSON.parse(text) as unknown);
	}

	/** Submits a published form: a production run. Fields are given in the form's order. */
	async submitForm(path: string, fields: Array<string | File>): Promise<void> {
		const form = new FormData();
		for (const [index, field] of fields.entries()) form.append(`field-${index}`, field);
		const response = await fetch(`${this.baseUrl}/form/${path}`, { method: 'POST', body: form });
		const text = await response.text();
		if (!response.ok) throw new N8nApiError('POST', `/form/${path}`, response.status, text);
	}
}

function isWebhookLike({ type }: WorkflowNode): boolean {
	return /\.(webhook|formTrigger|wait|chatTrigger)$/.test(type);
}

function firstTrigger({ nodes, name }: SavedWorkflow): string {
	const trigger = nodes.find(
		({ type, disabled }) => !disabled && /trigger$|\.webhook$/i.test(type),
	);
	if (!trigger) throw new Error(`"${name}" has no trigger to start from.`);
	return trigger.name;
}
