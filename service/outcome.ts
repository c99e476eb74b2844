import { ServiceError } from './errors';

/** The result of a request as a value. Errors other than the service's stay exceptions. */
export type Outcome<T> = { value: T } | { error: ServiceError };

export function outcomeOf<T>(request: Promise<T>): Promise<Outcome<T>> {
	return request.then(
		(value) => ({ value }),
		(error: unknown) => {
			if (error instanceof ServiceError) return { error };
			throw error;
		},
	);
}
