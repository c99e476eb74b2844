import { SendFailure, type Send } from '../../service/ports';

/** Ends each request after this time. n8n’s own limit restarts with every byte, so an answer that trickles has no limit. */
export function withTimeLimit(send: Send, ms: number): Send {
	return async (request) => {
		const signal = AbortSignal.timeout(ms);
		const ended = new Promise<never>((_resolve, reject) => {
			const failure = new SendFailure(`no whole answer within ${ms / 1000} seconds`, true);
			signal.addEventListener('abort', () => reject(failure), { once: true });
		});
		return await Promise.race([ended, send(request, signal)]);
	};
}
