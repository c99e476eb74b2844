import { withTimeLimit } from '../../nodes/CreatorBriefingTrigger/time-limit';
import { listHooks } from '../../service/operations';
import { SendFailure } from '../../service/ports';

it('a request whose answer does not end is ended, though nobody listens to its signal', async () => {
	let signal: AbortSignal | undefined;
	const send = withTimeLimit((_request, given) => {
		signal = given;
		return new Promise(() => {});
	}, 20);
	await expect(send(listHooks())).rejects.toThrow(
		new SendFailure('no whole answer within 0.02 seconds', true),
	);
	expect(signal?.aborted).toBe(true);
});

it('an answer in time is passed on, and a failure as it is', async () => {
	const answer = { status: 200, headers: {}, body: '{}' };
	expect(await withTimeLimit(() => Promise.resolve(answer), 1000)(listHooks())).toBe(answer);
	const failure = new SendFailure('gone', false);
	const failing = withTimeLimit(() => Promise.reject(failure), 1000);
	await expect(failing(listHooks())).rejects.toBe(failure);
});
