type ExecutionStatus =
	'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed' | 'unknown';

interface Item {
	json: Record<string, unknown>;
	pairedItem?: number | { item: number; input?: number } | Array<{ item: number; input?: number }>;
	error?: unknown;
}

interface ExecutionError {
	name?: string;
	message: string;
	description?: string | null;
	httpCode?: string | null;
	context?: Record<string, unknown>;
	node?: { name: string };
}

/** One run of one node. A node in a loop has several. */
interface NodeRunData {
	executionTime: number;
	data?: Record<string, Array<Item[] | null>>;
	error?: ExecutionError;
}

interface RunExecutionData {
	resultData?: {
		runData?: Record<string, NodeRunData[]>;
		error?: ExecutionError;
	};
}

/** An execution as GET /rest/executions/:id gives it, `data` still being text. */
export interface RawExecution extends ExecutionSummary {
	data?: string | RunExecutionData;
	dataTooLargeToDisplay?: boolean;
}

/** An execution as the list of executions gives it. */
export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
	startedAt: string | null;
	stoppedAt?: string | null;
}

const finalStatuses: ReadonlySet<ExecutionStatus> = new Set([
	'success',
	'error',
	'canceled',
	'crashed',
]);

export function isOver({ status }: Pick<ExecutionSummary, 'status'>): boolean {
	return finalStatuses.has(status);
}

/** One execution with everything its nodes did. */
export class Execution {
	readonly id: string;
	readonly status: ExecutionStatus;
	readonly mode: string;
	readonly runData: Record<string, NodeRunData[]>;
	/** What ended the execution, if anything did. */
	readonly error: ExecutionError | undefined;

	/** n8n writes an execution's data with the library flatted, and sends none while it runs. */
	static async from({ data, dataTooLargeToDisplay, ...summary }: RawExecution): Promise<Execution> {
		if (dataTooLargeToDisplay) {
			throw new Error(`The data of execution ${summary.id} is too large for n8n to hand out.`);
		}
		// It comes as an ES module.
		const { parse } = await import('flatted');
		const runData = typeof data === 'string' ? (parse(data) as RunExecutionData | null) : data;
		return new Execution(summary, runData ?? {});
	}

	private constructor(
		readonly summary: ExecutionSummary,
		data: RunExecutionData,
	) {
		this.id = summary.id;
		this.status = summary.status;
		this.mode = summary.mode;
		this.runData = data.resultData?.runData ?? {};
		this.error = data.resultData?.error;
	}

	get hasData(): boolean {
		return Object.keys(this.runData).length > 0;
	}

	/** How long it took, in milliseconds. */
	get duration(): number {
		const { startedAt, stoppedAt } = this.summary;
		return startedAt && stoppedAt ? Date.parse(stoppedAt) - Date.parse(startedAt) : NaN;
	}

	runs(node: string): NodeRunData[] {
		return this.runData[node] ?? [];
	}

	/** The items one output of a node gave: in its last run, or in the run asked for. */
	items(node: string, output = 0, run = -1): Item[] {
		return this.runs(node).at(run)?.data?.['main']?.[output] ?? [];
	}

	json(node: string, output = 0, run = -1): Array<Record<string, unknown>> {
		return this.items(node, output, run).map((item) => item.json);
	}

	/** The items of all the runs of a node, in order. */
	allItems(node: string, output = 0): Item[] {
		return this.runs(node).flatMap((_, run) => this.items(node, output, run));
	}

	/** For messages of tests that did not go as expected. */
	describe(): string {
		const nodes = Object.keys(this.runData).map((node) => {
			const outputs = this.runs(node).map((run) =>
				(run.data?.['main'] ?? []).map((items) => items?.length ?? 0).join('+'),
			);
			const error = this.runs(node).at(-1)?.error?.message;
			return `${node}: ${outputs.join(', ')}${error ? ` (${error})` : ''}`;
		});
		const error = this.error
			? `\n  ${this.error.message}\n  ${this.error.description ?? ''}`.trimEnd()
			: '';
		return `execution ${this.id} ${this.status}${error}\n  ${nodes.join('\n  ')}`;
	}
}
