import { setTimeout as sleep } from 'node:timers/promises';
import { pollUntil } from '../harness/process/poll-until';
import type { N8nClient } from '../harness/client/client';
import { rows, start } from '../harness/workflows/built-in-nodes';
import { type PackageNodes } from '../harness/workflows/package-nodes';
import { chain } from '../harness/workflows/workflow';
import type { Sandbox } from '../sandbox/sandbox';
import type { Figure } from './figures-table';

export const WATCHED_BRIEFS = 50;
const NEVER = 999_000_000;
const POLLS = 10;
const LOOKS = 5;

/** How many requests a poll of the trigger takes while nothing happens. */
export async function countPolls(
	client: N8nClient,
	sandbox: Sandbox,
	nodes: PackageNodes,
): Promise<Figure[]> {
	sandbox.addBrief({ durationMs: NEVER });
	const lines: Figure[] = [];
	for (const [on, name] of [
		['hooksRefreshed', 'Hooks Refreshed'],
		['briefFinished', 'Brief Finished'],
	] as const) {
		const flow = await client.createWorkflow(chain(name, [nodes.trigger(on)]));
		await client.publishAndWait(flow);
		const requestsBefore = sandbox.requests.length;
		// Polls come at every even second.
		await sleep(POLLS * 2_000);
		await client.unpublish(flow.id);
		const value = mostAtOnce(sandbox, requestsBefore);
		lines.push({ what: `Trigger, ${name}: requests of a quiet poll`, value, atMost: 1 });
	}
	return lines;
}

/** How many requests a look takes at many running briefs. */
export async function countLooks(
	client: N8nClient,
	sandbox: Sandbox,
	nodes: PackageNodes,
): Promise<Figure[]> {
	const items = Array.from({ length: WATCHED_BRIEFS }, () => ({
		id: sandbox.addBrief({ durationMs: NEVER }).id,
	}));
	const flow = await client.createWorkflow(chain('Wait', [start, rows(items), nodes.wait()]));
	const requestsBefore = sandbox.requests.length;
	const id = await client.startManually(flow);
	const hasLooked = () => sandbox.requests.length - requestsBefore >= LOOKS || undefined;
	await pollUntil(hasLooked, {
		timeoutMs: 60_000,
		lateText: () => 'Wait Until Ready did not look.',
	});
	await client.stopExecution(id);
	await client.waitForEnd(id);
	const what = `Wait Until Ready: requests of a look with ${WATCHED_BRIEFS} items`;
	return [{ what, value: mostAtOnce(sandbox, requestsBefore), atMost: 1 }];
}

/**
 * The most requests that came within a second, since a place in the log: more than one of a poll or look show there.
 */
function mostAtOnce(sandbox: Sandbox, since: number): number {
	const times = sandbox.requests.slice(since).map(({ at }) => at);
	return Math.max(
		...times.map((time) => times.filter((other) => other >= time && other < time + 1_000).length),
	);
}
