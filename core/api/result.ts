import { ServiceError } from './errors';

/** The result of a request as a value. Errors other than the service's stay exceptions. */
export type Result<T> = { value: T } | { error: ServiceError };

export function toResult<T>(request: Promise<T>): Promise<Result<T>> {
	return request.then(
		(value) => ({ value }),
		(error: unknown) => {
			if (error instanceof ServiceError) return { error };
			throw error;
		},
	);
}

/** Gives what a get brings, or null if the service does not know it. */
export async function nullIfNotFound<T>(get: Promise<T>): Promise<T | null> {
	const outcome = await toResult(get);
	if ('value' in outcome) return outcome.value;
	const { kind, page } = outcome.error;
	if (kind === 'not_found' && page === undefined) return null;
	throw outcome.error;
}

/** Checks whether it is the reason of an aborted signal: a DOMException, which is not everywhere an Error. */
export function isAbort(thrown: unknown): boolean {
	return (thrown as { name?: unknown } | undefined)?.name === 'AbortError';
}
