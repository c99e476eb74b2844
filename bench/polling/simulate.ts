import type { BriefStatus, BriefSummary } from '../../service/resources';
import { WatchedBriefs, type WatchedBrief } from '../../service/watch/watched-briefs';
import type { Life, World } from './worlds';

/** A request's way to the service and back, and that of a create. Milliseconds. */
const ROUND_TRIP = 200;
const CREATE = 400;

/** When to look next, of what a poller knows of the briefs that it watches. A look shows all of them. */
export type Policy = (briefs: WatchedBriefs<WatchedBrief>, lastLook: number) => number;

export interface Figures {
	/** Makespan ÷ that of a runner that loses no moment. */
	over: number;
	readsPerBrief: number;
	/** From the end of each brief until it was known, in milliseconds. */
	delays: number[];
}

interface Running extends WatchedBrief {
	readonly life: Life;
	readonly createdAt: number;
}

/** Takes briefs through two slots, on a clock of its own, with the looks that a policy asks for. */
export function simulate(world: World, count: number, seed: string, policy: Policy): Figures {
	const lives = Array.from({ length: count }, (_, ordinal) => world.life(seed, ordinal, count));
	const briefs = new WatchedBriefs<Running>([]);
	const delays: number[] = [];
	let now = 0;
	let reads = 0;
	let created = 0;

	const create = () => {
		const life = lives[created];
		if (life === undefined) return;
		created += 1;
		const createdAt = now + CREATE / 2;
		const brief = summaryOf(String(created), 'queued', createdAt);
		briefs.all.add({ life, createdAt, brief, since: now + CREATE, isStartKnown: true });
	};
	create();
	create();
	while (briefs.all.size > 0) {
		now = Math.max(now, policy(briefs, now));
		// A get shows one brief as it is; the list may lag behind, and shows no text.
		const isGet = briefs.all.size === 1;
		const shown = now + ROUND_TRIP / 2 - (isGet ? 0 : (world.listLag ?? 0));
		reads += 1;
		now += ROUND_TRIP;
		for (const one of [...briefs.all]) {
			const status = statusOf(one.life, shown - one.createdAt);
			briefs.observe(one, summaryOf(one.brief.id, status, one.createdAt), now);
			if (status !== 'ready' && status !== 'failed') continue;
			briefs.all.delete(one);
			delays.push(now - one.createdAt - endOf(one.life));
			reads += isGet ? 0 : 1;
			create();
		}
	}
	return { over: now / withoutDelay(lives), readsPerBrief: reads / count, delays };
}

function withoutDelay(lives: readonly Life[]): number {
	const slots: [number, number] = [0, 0];
	for (const life of lives) slots[slots[0] <= slots[1] ? 0 : 1] += endOf(life);
	return Math.max(...slots);
}

function endOf({ stages }: Life): number {
	return stages.at(-1)?.until ?? 0;
}

function statusOf({ stages, end }: Life, age: number): BriefStatus {
	return stages.find(({ until }) => age < until)?.status ?? end;
}

function summaryOf(id: string, status: BriefStatus, createdAt: number): BriefSummary {
	const at = new Date(createdAt).toISOString();
	return {
		id,
		status,
		product_name: 'Product',
		title: null,
		url: '',
		created_at: at,
		updated_at: at,
		finished_at: null,
	};
}
