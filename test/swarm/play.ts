import type { RunEnd } from '../../batch/report/run-end';
import { MINUTE } from '../support/time';
import { COLLEAGUE } from '../support/virtual-service';
import { getInput } from './contents';
import { findLost, findNotRetried, findOpenRows, findWrongResults } from './ending';
import { Executions } from './executions';
import { Folder } from './folder';
import type { Action, History } from './history';
import type { Reached } from './reached';
import { SwarmWorld } from './swarm-world';

/** Longer than any brief takes, and than the list can lag. */
const QUIET_MS = 20 * MINUTE;
const QUIET_RUNS = 2;
const OVERLAP_MS = 2000;

/** Plays a history, then quiet runs of both folders. Returns the first broken promise, or null. */
export async function playHistory(
	history: History,
	reached: Reached | null = null,
): Promise<string | null> {
	const players = new Players(history, reached);
	try {
		for (const action of history.actions) await players.start(action);
		const [breach] = await players.finish();
		return players.findBreach() ?? breach ?? null;
	} catch (error) {
		return error instanceof Error ? (error.stack ?? error.message) : String(error);
	} finally {
		players.world.clock.stop();
	}
}

class Players {
	readonly world: SwarmWorld;
	private readonly folders: ReadonlyMap<string, Folder>;
	private readonly executions: Executions;
	/** The folders whose rows the second quiet run has left for later runs. */
	private readonly left = new Set<Folder>();
	/** The action of each actor that is in progress. */
	private readonly running = new Map<string, Promise<void>>();

	constructor({ service }: History, reached: Reached | null) {
		this.world = new SwarmWorld(service, reached);
		this.folders = new Map(['A', 'B'].map((name) => [name, new Folder(this.world, name)]));
		this.executions = new Executions(this.world);
	}

	/** Starts an action. An actor does one thing at a time, because a folder is locked while a run uses it. */
	async start(action: Action): Promise<void> {
		await this.running.get(action.actor);
		const removeFaults = this.world.faults.add(action.faults);
		this.running.set(action.actor, this.act(action).finally(removeFaults));
		if (action.isAtOnce) return await this.world.clock.pass(OVERLAP_MS);
		await Promise.all(this.running.values());
		await this.world.clock.pass(action.passMs);
	}

	private async act(action: Action): Promise<void> {
		const { actor, content, spelling } = action;
		if (actor === 'colleague') this.world.create(COLLEAGUE, getInput(content, spelling));
		else if (actor === 'n8n') await this.executions.run(action);
		else await this.folders.get(actor)?.act(action);
	}

	/** Without faults, two runs of each folder settle every row, another run orders nothing, and `retry` retries. */
	async finish(): Promise<string[]> {
		await Promise.all(this.running.values());
		const breaches: string[] = [];
		for (let run = 1; run <= QUIET_RUNS; run += 1)
			for (const folder of this.folders.values()) {
				const end = await this.runQuietly(folder);
				if (end !== null && run === QUIET_RUNS) breaches.push(...(await this.judge(end, folder)));
			}
		const ends = new Map<Folder, RunEnd>();
		for (const folder of this.folders.values()) {
			const { length } = this.world.created;
			const end = await this.runQuietly(folder);
			if (typeof end === 'string' || end === null) continue;
			ends.set(folder, end);
			// A deferred row is ordered when the month has briefs again. P13: each run orders one row.
			const isDone = !this.left.has(folder) && !isStoppedByFailures(end);
			if (isDone && this.world.created.length > length)
				breaches.push(`${folder.name}: the third quiet run still ordered`);
		}
		for (const [folder, end] of ends) {
			const retried = await this.runQuietly(folder, 'retry');
			if (typeof retried === 'object' && retried !== null)
				breaches.push(...findNotRetried(end, retried, folder));
		}
		return breaches;
	}

	private async judge(end: RunEnd | string, folder: Folder): Promise<string[]> {
		if (typeof end !== 'string' && (end.report.counts.deferred > 0 || isStoppedByFailures(end)))
			this.left.add(folder);
		return [
			...findOpenRows(end, folder, this.world),
			...(typeof end === 'string' ? [] : findWrongResults(end, folder, this.world)),
			...(await findLost(folder, this.world)),
		];
	}

	private async runQuietly(folder: Folder, kind?: 'retry'): Promise<RunEnd | string | null> {
		await this.world.clock.pass(QUIET_MS);
		return await folder.runQuietly(kind);
	}

	findBreach(): string | null {
		const [breach] = this.world.wishes.breaches;
		if (breach !== undefined) return breach;
		return this.world.isKeyReused ? 'P7: a key was sent with two bodies' : null;
	}
}

function isStoppedByFailures({ stop }: RunEnd): boolean {
	return stop?.code === 'failures_in_row';
}
