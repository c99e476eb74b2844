import { addressToTry } from '../service/api/connection';
import { concernsAll, type ServiceError } from '../service/api/errors';
import { explain } from '../service/api/explain';
import { EXIT, Failure } from './failure';

/** Gives the end of a command for an error of the service. */
export function serviceFailure(error: ServiceError, now: number): Failure {
	const { what, cure } = explain(error, now);
	return new Failure(what, cure, concernsAll(error.kind) ? EXIT.refused : EXIT.stoppedEarly);
}

/**
 * Gives the same for a first request: if its path is not known, the address is wrong, which running again does not
 * cure.
 */
export function firstFailure(error: ServiceError, now: number, baseUrl: string): Failure {
	if (error.kind !== 'not_found') return serviceFailure(error, now);
	return new Failure(
		`The service is not at ${baseUrl}: that address is answered with “not found” (${error.status}).`,
		addressToTry(baseUrl),
		EXIT.unusable,
	);
}
