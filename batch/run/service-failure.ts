import { concernsAll, type ServiceError } from '../../service/errors';
import { explain } from '../../service/explain';
import { EXIT, Failure } from '../failure';

/** The end of a command for an error of the service. */
export function serviceFailure(error: ServiceError, now: number): Failure {
	const { what, cure } = explain(error, now);
	return new Failure(what, cure, concernsAll(error.kind) ? EXIT.refused : EXIT.stoppedEarly);
}
