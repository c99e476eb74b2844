import type { Sandbox } from '../../../sandbox/sandbox';
import { startProxy } from '../proxy';
import type { Target } from './engine';

/** What a GET that lags behind the list returns: the brief before it was finished, or a 404. */
export type Lag = 'unfinished' | 'unknown';

const UNKNOWN = { error: { code: 'not_found', message: 'No such brief' } };
const UNFINISHED = { status: 'checking', title: null, markdown: null, document: null };

/** Starts a proxy in front of the sandbox, which answers a GET of a brief according to `findLag`. */
export async function startLaggingProxy(
	sandbox: Sandbox,
	findLag: (briefId: string) => Lag | undefined,
): Promise<Target> {
	const url = await startProxy(sandbox, async ({ path }, forward) => {
		const answer = await forward(path);
		const id = /\/briefs\/([^/?]+)$/.exec(path)?.[1];
		const lag = id === undefined || answer.status !== 200 ? undefined : findLag(id);
		if (lag === undefined) return answer;
		if (lag === 'unknown') return { status: 404, body: JSON.stringify(UNKNOWN) };
		const brief = JSON.parse(answer.body) as object;
		return { status: 200, body: JSON.stringify({ ...brief, ...UNFINISHED, finished_at: null }) };
	});
	return { url, key: sandbox.keys.allScopes };
}
