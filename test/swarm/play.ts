import { isAbort } from '../../core/api/sleep';
import { NodeExecution } from '../../nodes/CreatorBriefing/orders/node-execution';
import { N8nProcess } from '../nodes/support/n8n-process';
import { COLLEAGUE } from '../support/virtual-service';
import { Folder, getContent } from './folder';
import { getInput, type Action, type History } from './history';
import { SwarmWorld } from './swarm-world';

/** Longer than any brief takes, and than the list can lag. */
const QUIET_MS = 1_200_000;
const OVERLAP_MS = 2000;

/** Plays a history, then quiet runs of both folders. Returns the first broken promise, or null. */
export async function playHistory(history: History): Promise<string | null> {
	const players = new Players(history);
	try {
		for (const action of history.actions) await players.start(action);
		await players.finish();
	} catch (error) {
		return error instanceof Error ? (error.stack ?? error.message) : String(error);
	} finally {
		players.world.clock.stop();
	}
	return players.findBreach();
}

class Players {
	readonly world: SwarmWorld;
	private readonly folders: ReadonlyMap<string, Folder>;
	private readonly n8n: N8nProcess;
	private executions = 0;
	private lateBriefs = 0;
	/** The action of each actor that is in progress. */
	private readonly running = new Map<string, Promise<void>>();

	constructor({ service }: History) {
		this.world = new SwarmWorld(service);
		this.folders = new Map(['A', 'B'].map((name) => [name, new Folder(this.world, name)]));
		this.n8n = new N8nProcess({}, undefined, this.world);
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
		if (action.actor === 'colleague') this.world.create(COLLEAGUE, getInput(action.content));
		else if (action.actor === 'n8n') await this.execute(action);
		else await this.folders.get(action.actor)?.act(action);
	}

	/** Runs an execution of n8n with one item or two. A death of the process is a restart of n8n. */
	private async execute({ kind, content, max, row }: Action): Promise<void> {
		const items = row === 0 ? [content] : [content, content + row];
		const isRetry = kind === 'retry';
		const contents = new Set(items.map(getContent));
		this.executions += 1;
		this.world.begin({
			actor: `n8n ${this.executions}`,
			selected: contents,
			wanted: contents,
			again: isRetry ? contents : new Set<string>(),
			reason: 'failed and no good brief',
			max,
		});
		const { process, results } = this.n8n.start(
			items.map(getInput),
			{ whenBriefExists: isRetry ? 'useUnlessFailed' : 'use', maxBriefs: max ?? 25 },
			new NodeExecution(),
		);
		await results.catch((error: unknown) => {
			if (!isAbort(error) && !process.isDead) throw error;
		});
		if (process.isDead) this.n8n.restart();
	}

	/** Without faults, every order must end: after three runs, another run orders nothing. */
	async finish(): Promise<void> {
		await Promise.all(this.running.values());
		for (let run = 0; run < 4; run += 1) {
			this.lateBriefs = this.world.created.length;
			for (const folder of this.folders.values()) {
				await this.world.clock.pass(QUIET_MS);
				await folder.runQuietly();
			}
		}
		this.lateBriefs = this.world.created.length - this.lateBriefs;
	}

	findBreach(): string | null {
		const [breach] = this.world.wishes.breaches;
		if (breach !== undefined) return breach;
		if (this.world.isKeyReused) return 'A key was sent with two bodies';
		return this.lateBriefs > 0 ? 'The fourth quiet run still ordered' : null;
	}
}
