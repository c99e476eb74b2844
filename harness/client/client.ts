import { pollUntil } from '../process/poll-until';
import type { SavedWorkflow, Workflow } from '../workflows/workflow';
import { ApiSession, N8nApiError, readBody } from './api-session';
import type {
	CredentialReference,
	CredentialTestResult,
	NodeTypeDescription,
	PublicationStatus,
} from './api-types';
import { Execution, hasEnded, type ExecutionSummary, type RawExecution } from './execution';

export const owner = {
	email: 'owner@example.com',
	password: 'Only-for-tests-1',
	firstName: 'Test',
	lastName: 'Owner',
};

const TIMEOUT_MS = 60_000;

/** Performs the actions of a user in n8n's editor, by its REST interface. */
export class N8nClient {
	readonly session: ApiSession;

	constructor(readonly baseUrl: string) {
		this.session = new ApiSession(baseUrl);
	}

	/** Creates the owner of a new n8n, and logs in. */
	async setUpOwner(): Promise<void> {
		await this.session.post('/rest/owner/setup', owner);
		const { email, password } = owner;
		await this.session.post('/rest/login', { emailOrLdapLoginId: email, email, password });
	}

	/** Returns every node type, with those of community packages. */
	listNodeTypes(): Promise<NodeTypeDescription[]> {
		return this.session.get('/types/nodes.json');
	}

	listCredentialTypes(): Promise<NodeTypeDescription[]> {
		return this.session.get('/types/credentials.json');
	}

	async createCredential(
		type: string,
		name: string,
		data: Record<string, unknown>,
	): Promise<CredentialReference> {
		const body = { name, type, data };
		const { id } = await this.session.post<{ id: string }>('/rest/credentials', body);
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

	/** Tests a credential as the editor does when it is saved, and returns the result. The credential is not kept. */
	async testCredential(type: string, data: Record<string, unknown>): Promise<CredentialTestResult> {
		// Old versions test only saved credentials.
		const saved = await this.createCredential(type, 'Under test', data);
		try {
			const credentials = { ...saved, type, data };
			return await this.session.post('/rest/credentials/test', { credentials });
		} finally {
			await this.deleteCredential(saved);
		}
	}

	/** Saves a workflow, and adds missing node and webhook IDs. */
	createWorkflow(workflow: Workflow): Promise<SavedWorkflow> {
		const nodes = workflow.nodes.map((node) => ({
			id: crypto.randomUUID(),
			...(/\.(webhook|formTrigger|wait|chatTrigger)$/.test(node.type)
				? { webhookId: crypto.randomUUID() }
				: {}),
			...node,
		}));
		// Old versions require `active`. Without `pinData`, the editor cannot run a single node.
		const defaults = { active: false, settings: {}, pinData: {} };
		return this.session.post('/rest/workflows', { ...defaults, ...workflow, nodes });
	}

	/** Starts a workflow by hand, and returns the ID of the execution. */
	async startManually(workflow: SavedWorkflow): Promise<string> {
		const { executionId } = await this.session.post<{ executionId?: string }>(
			`/rest/workflows/${workflow.id}/run`,
			// Old versions run the workflow in the request, new versions the saved workflow.
			{ workflowData: workflow, triggerToStartFrom: { name: findTrigger(workflow) } },
		);
		if (executionId !== undefined) return executionId;
		throw new Error(
			`"${workflow.name}" waits for its webhook or form, and runs nothing by itself.`,
		);
	}

	/** Starts a workflow by hand, and waits for its end. */
	async runManually(workflow: SavedWorkflow): Promise<Execution> {
		return this.waitForEnd(await this.startManually(workflow));
	}

	/** Saves a workflow, and runs it by hand. */
	async createAndRun(workflow: Workflow): Promise<Execution> {
		return this.runManually(await this.createWorkflow(workflow));
	}

	/** Sends a message in the chat panel below the canvas, and returns the answer. */
	async sayInChatPanel(
		workflow: SavedWorkflow,
		sessionId: string,
		chatInput: string,
	): Promise<unknown> {
		await this.session.post(`/rest/workflows/${workflow.id}/run`, {
			triggerToStartFrom: { name: findTrigger(workflow) },
			chatSessionId: sessionId,
		});
		const message = { action: 'sendMessage', sessionId, chatInput };
		return await this.callPublic(`/webhook-test/${workflow.id}/${sessionId}`, message);
	}

	async getExecution(id: string): Promise<Execution> {
		return Execution.from(await this.session.get<RawExecution>(`/rest/executions/${id}`));
	}

	async waitForEnd(id: string, timeoutMs = TIMEOUT_MS): Promise<Execution> {
		let lastSeen = '';
		const check = async () => {
			const execution = await this.getExecution(id);
			lastSeen = execution.describe();
			// Version 1 can report success shortly before it has saved the data.
			const isSaved = execution.hasData || execution.status !== 'success';
			return hasEnded(execution) && isSaved ? execution : undefined;
		};
		return pollUntil(check, {
			timeoutMs,
			getTimeoutMessage: () => `Not ended in time: ${lastSeen}`,
		});
	}

	/** Stops an execution, as the editor's Stop button does. */
	async stopExecution(id: string): Promise<void> {
		await this.session.post(`/rest/executions/${id}/stop`);
	}

	/** Retries an execution with the workflow as it is now, and returns the ID of the new execution. */
	async retryExecution(id: string): Promise<string> {
		const path = `/rest/executions/${id}/retry`;
		const retry = await this.session.post<{ id?: string } | boolean>(path, { loadWorkflow: true });
		if (typeof retry === 'object' && retry.id !== undefined) return retry.id;
		// Version 1 answers after the end of the new execution, without its ID.
		const { workflowId } = await this.getExecution(id);
		const [newest] = await this.listExecutions(workflowId);
		return newest?.id ?? id;
	}

	/** Returns the executions of a workflow, newest first, with manual and running executions. */
	async listExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const query = { filter: JSON.stringify({ workflowId }), limit: '100' };
		const page = await this.session.get<{ results: ExecutionSummary[] }>('/rest/executions', query);
		return page.results;
	}

	/** Returns the ended executions of a workflow with their data, oldest first. */
	async listEndedExecutions(workflowId: string): Promise<Execution[]> {
		const ended = (await this.listExecutions(workflowId)).filter(hasEnded);
		const executions = await Promise.all(ended.map(({ id }) => this.getExecution(id)));
		return executions.sort((a, b) => Number(a.id) - Number(b.id));
	}

	/** Publishes a workflow, and waits until its triggers are set up. Throws the reason if they are not. */
	async publishAndWait({ id }: Pick<SavedWorkflow, 'id'>): Promise<void> {
		await this.setActive(id, true);
		await this.waitForPublication(id, 'published');
	}

	/** Unpublishes a workflow, and waits until its triggers are removed. */
	async unpublish(id: string): Promise<void> {
		await this.setActive(id, false);
		await this.waitForPublication(id, 'not_published');
	}

	/** Calls the webhook of a published workflow, without a login. */
	callWebhook(path: string, body: unknown): Promise<unknown> {
		return this.callPublic(`/webhook/${path}`, body);
	}

	/** Submits the form of a published workflow, with its fields in sequence. */
	async submitForm(path: string, fields: Array<string | File>): Promise<void> {
		const form = new FormData();
		for (const [index, field] of fields.entries()) form.append(`field-${index}`, field);
		const response = await fetch(`${this.baseUrl}/form/${path}`, { method: 'POST', body: form });
		await readBody('POST', `/form/${path}`, response);
	}

	private async callPublic(path: string, body: unknown): Promise<unknown> {
		const response = await fetch(this.baseUrl + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return await readBody('POST', path, response);
	}

	private async setActive(id: string, active: boolean): Promise<void> {
		const path = `/rest/workflows/${id}`;
		const { versionId } = await this.session.get<SavedWorkflow>(path);
		try {
			await this.session.post(`${path}/${active ? 'activate' : 'deactivate'}`, { versionId });
		} catch (error) {
			if (!isNotFound(error)) throw error;
			// In version 1, active is a field of the workflow.
			await this.session.request('PATCH', path, { active, versionId });
		}
	}

	private async waitForPublication(
		id: string,
		wanted: 'published' | 'not_published',
	): Promise<void> {
		let lastSeen = '';
		const check = async () => {
			const path = `/rest/workflows/${id}/publication-status`;
			const { status, triggers } = await this.session.get<PublicationStatus>(path);
			if (status === wanted) return true;
			const reasons = triggers.map(({ errorMessage }) => errorMessage ?? '');
			lastSeen = `Workflow ${id} is ${status}. ${reasons.join(' ')}`;
			if (status === 'failed' || status === 'partial') throw new Error(lastSeen);
			return undefined;
		};
		try {
			await pollUntil(check, { timeoutMs: TIMEOUT_MS, getTimeoutMessage: () => lastSeen });
		} catch (error) {
			// Old versions have no status: they publish during the call.
			if (!isNotFound(error)) throw error;
		}
	}
}

function isNotFound(error: unknown): boolean {
	return error instanceof N8nApiError && error.status === 404;
}

function findTrigger({ nodes, name }: SavedWorkflow): string {
	const trigger = nodes.find(
		({ type, disabled }) => !disabled && /trigger$|\.webhook$/i.test(type),
	);
	if (!trigger) throw new Error(`"${name}" has no trigger to start from.`);
	return trigger.name;
}
