import type { Sandbox } from '../../../sandbox/sandbox';
import { startFront } from '../front';
import type { Target } from './engine';

/** How a get answers while it lags behind the list: with the brief before its end, or as if there were none. */
export type Lag = 'unfinished' | 'unknown';

/** A sandbox whose gets lag behind its list: as long as `lagOf` says so for a brief's ID. */
export async function laggingTarget(
	sandbox: Sandbox,
	lagOf: (id: string) => Lag | undefined,
): Promise<Target> {
	const url = await startFront(sandbox, async ({ path }, pass) => {
		const answer = await pass(path);
		const id = /\/briefs\/([^/?]+)$/.exec(path)?.[1];
		const lag = id === undefined || answer.status !== 200 ? undefined : lagOf(id);
		if (lag === undefined) return answer;
		return { status: lag === 'unknown' ? 404 : 200, body: behind(answer.body, lag) };
	});
	return { url, key: sandbox.keys.allScopes };
}

function behind(text: string, lag: Lag): string {
	if (lag === 'unknown') {
		return JSON.stringify({ error: { code: 'not_found', message: 'No such brief' } });
	}
	const earlier = { status: 'checking', title: null, markdown: null, document: null };
	return JSON.stringify({ ...(JSON.parse(text) as object), ...earlier, finished_at: null });
}
