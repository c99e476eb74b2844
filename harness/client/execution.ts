type ExecutionStatus =
	'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed' | 'unknown';

interface Item {
	json: Record<string, unknown>;
}

interface ExecutionError {
	message: string;
	description?: string | null;
}

/** A run of a node. A node in a loop has several. */
interface NodeRun {
	startTime: number;
	executionTime: number;
	data?: Record<string, Array<Item[] | null>>;
	error?: ExecutionError;
}

interface ExecutionData {
	resultData?: { runData?: Record<string, NodeRun[]>; error?: ExecutionError };
}

/** An execution in the list of executions. */
export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
}

/** The answer of GET /rest/executions/:id. */
export interface RawExecution extends ExecutionSummary {
	data?: string | ExecutionData;
	dataTooLargeToDisplay?: boolean;
}

export function hasEnded({ status }: Pick<ExecutionSummary, 'status'>): boolean {
	return ['success', 'error', 'canceled', 'crashed'].includes(status);
}

/** An execution with the data of its nodes. */
export class Execution {
	readonly id: string;
	readonly status: ExecutionStatus;
	readonly workflowId: string;
	readonly runData: Record<string, NodeRun[]>;
	/** The error that ended the execution. */
	readonly error: ExecutionError | undefined;

	/** Creates an execution from the answer of n8n, which contains no data while the execution runs. */
	static async from({ data, dataTooLargeToDisplay, ...summary }: RawExecution): Promise<Execution> {
		if (dataTooLargeToDisplay) {
			throw new Error(`The data of execution ${summary.id} exceeds n8n's limit for display.`);
		}
		// n8n serializes the data with flatted, which is an ES module.
		const { parse } = await import('flatted');
		const parsed = typeof data === 'string' ? (parse(data) as ExecutionData | null) : data;
		return new Execution(summary, parsed ?? {});
	}

	private constructor(summary: ExecutionSummary, { resultData = {} }: ExecutionData) {
		this.id = summary.id;
		this.status = summary.status;
		this.workflowId = summary.workflowId;
		this.runData = resultData.runData ?? {};
		this.error = resultData.error;
	}

	get hasData(): boolean {
		return Object.keys(this.runData).length > 0;
	}

	runs(node: string): NodeRun[] {
		return this.runData[node] ?? [];
	}

	/** Returns the items of an output of a node, in the node's last run by default. */
	items(node: string, output = 0, run = -1): Item[] {
		return this.runs(node).at(run)?.data?.['main']?.[output] ?? [];
	}

	json(node: string, output = 0, run = -1): Array<Record<string, unknown>> {
		return this.items(node, output, run).map((item) => item.json);
	}

	/** Returns the items of all runs of a node, in sequence. */
	allItems(node: string, output = 0): Item[] {
		return this.runs(node).flatMap((_, run) => this.items(node, output, run));
	}

	/** Returns status, error and item counts, for the message of a failed test. */
	describe(): string {
		const nodes = Object.entries(this.runData).map(([name, runs]) => {
			const counts = runs.map(({ data }) =>
				(data?.['main'] ?? []).map((items) => items?.length ?? 0).join('+'),
			);
			return `${name}: ${counts.join(', ')} ${runs.at(-1)?.error?.message ?? ''}`.trimEnd();
		});
		const { message = '', description } = this.error ?? {};
		const lines = [message, description ?? '', ...nodes].filter((line) => line !== '');
		return [`execution ${this.id} ${this.status}`, ...lines].join('\n  ');
	}
}
