import { ConnectionGone, SendFailure, type Send } from '../../service/ports';

/** The way to the service of one execution, which ends with it. */
export interface Carrier {
	send: Send;
	/** Aborted when the execution is stopped, and its requests with it. */
	signal?: AbortSignal;
}

/** Sends the requests of several executions through one of them that is still there. */
export class Relay<T extends Carrier> {
	/** The first of them that is not stopped carries the next request. */
	readonly carriers = new Set<T>();

	/** For requests that only read: one that ended with its execution is sent again. */
	readonly send: Send = async (request, signal) => {
		const unfit = new Set<T>();
		let unsent = new SendFailure('no execution is left to send it', false);
		for (;;) {
			const carrier = [...this.carriers].find((each) => !isStopped(each) && !unfit.has(each));
			if (carrier === undefined) throw unsent;
			const answer = await carrier.send(request, signal).catch((failure: unknown) => {
				signal?.throwIfAborted();
				if (isStopped(carrier) || !this.carriers.has(carrier)) return null;
				if (failure instanceof ConnectionGone) {
					// Its execution ends with its next own request; the others may have the credential still.
					unfit.add(carrier);
					unsent = failure;
					return null;
				}
				// It may be cut off alone, by what its credential allows: the next request goes another way.
				this.carriers.delete(carrier);
				this.carriers.add(carrier);
				throw failure;
			});
			if (answer !== null) return answer;
		}
	};
}

/** One that is stopped still takes part until its work has ended. */
function isStopped({ signal }: Carrier): boolean {
	return signal?.aborted === true;
}
