import { ApiClient } from '../../../core/api/client';
import type { ErrorKind, ServiceError } from '../../../core/api/errors';
import type { OperationId } from '../../../core/api/operations';
import type { SendFailure, WireResponse } from '../../../core/api/ports';
import { catchError } from '../../support/catch-error';
import { VirtualClock } from '../../support/virtual-clock';

/** A response, or a failure to get one. */
export type Answer = Partial<WireResponse> | SendFailure;

/**
 * A client whose requests get the given answers in sequence. The last answer is repeated.
 * @param answerMs how long the service takes to answer
 * @param deadlineMs the client's deadline, in milliseconds since the start
 */
export class ScriptedService {
	readonly clock = new VirtualClock();
	/** The operation and time of each request, in milliseconds since the start. */
	readonly requests: Array<readonly [OperationId, number]> = [];
	/** The errors that `onAnswer` has received. */
	readonly answers: Array<ErrorKind | null> = [];
	readonly client: ApiClient;
	private readonly start = this.clock.now();

	constructor(
		private readonly script: Answer[],
		private readonly answerMs = 0,
		deadlineMs = Infinity,
	) {
		this.client = new ApiClient(({ operation }) => this.answer(operation), this.clock, {
			onAnswer: (error) => this.answers.push(error?.kind ?? null),
			deadline: this.start + deadlineMs,
		});
	}

	/** The milliseconds that have passed. */
	get elapsed(): number {
		return this.clock.now() - this.start;
	}

	private async answer(operation: OperationId): Promise<WireResponse> {
		this.requests.push([operation, this.elapsed]);
		const answer = (this.script.length > 1 ? this.script.shift() : this.script[0]) ?? {};
		if (this.answerMs > 0) await this.clock.sleep(this.answerMs);
		if (answer instanceof Error) throw answer;
		return { status: 200, headers: {}, body: '', ...answer };
	}
}

const OPERATIONS: Readonly<Record<OperationId, (client: ApiClient) => Promise<unknown>>> = {
	list_licences: (client) => client.listLicences(),
	list_briefs: (client) => client.listBriefs(),
	create_brief: (client) => client.createBrief({ product_name: 'Lamp' }, 'key'),
	get_brief: (client) => client.getBrief('b1'),
	list_hooks: (client) => client.listHooks(),
};

/** Returns the error of an operation that gets this answer. */
export async function getError(operation: OperationId, answer: Answer): Promise<ServiceError> {
	const { client } = new ScriptedService([answer]);
	return await catchError<ServiceError>(OPERATIONS[operation](client));
}

/** A body in the form of docs/api.md 7. */
export function errorBody(error: object): string {
	return JSON.stringify({ error });
}
