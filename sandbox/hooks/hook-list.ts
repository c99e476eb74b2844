import { createRandom, type Random, type Seed } from '../random';
import { fillTemplate } from '../writing/fill-template';
import { markets, type HookCategory, type Market } from '../writing/markets';
import openings from './openings.json';

/** docs/api.md section 2.3. */
interface Video {
	id: string;
	category: HookCategory;
	video_id: string;
	video_url: string | null;
	hook: string;
	angle: string | null;
	why_it_works: string | null;
	evidence: string | null;
	views: number | null;
	units_sold: number | null;
	gmv_usd: number | null;
	metric_window_days: number | null;
	is_ad: boolean | null;
	/** In milliseconds since 1970. */
	observed_at: number | null;
}

/** A query with the values that the OpenAPI document permits. */
export interface HookQuery {
	category?: HookCategory;
	sort?: 'score' | 'views' | 'units_sold' | 'newest';
	q?: string;
	limit?: number;
}

const VIDEOS_PER_CATEGORY = 34;
const DAY = 86_400_000;
/** The daily refresh is at six in the morning, UTC. */
const REFRESH_TIME = 6 * 3_600_000;

/** The top-selling videos, which change once a day. */
export class HookList {
	refreshedAt: number;
	private videos: Video[] = [];
	private videoCount = 0;
	private refreshes = 0;

	constructor(
		private readonly seed: Seed,
		now: number,
	) {
		this.refreshedAt = getLastRefreshTime(now);
		this.addVideos(() => this.refreshedAt - (this.videoCount % 9) * DAY);
	}

	/** Refreshes the videos if the last daily refresh is later than the last call. */
	catchUp(now: number): void {
		const last = getLastRefreshTime(now);
		if (last > this.refreshedAt) this.refresh(last);
	}

	/** Replaces some videos by new videos, and raises the numbers of the others. */
	refresh(now: number): void {
		this.refreshes += 1;
		this.refreshedAt = now;
		const dice = createRandom(this.seed, 'refresh', this.refreshes);
		const removed = new Set(dice.sample(this.videos, dice.int(8, 16)));
		this.videos = this.videos.filter((video) => !removed.has(video));
		for (const video of this.videos) raiseNumbers(video, dice, now);
		this.addVideos(() => now);
	}

	find({ category, sort = 'score', q = '' }: HookQuery): Video[] {
		const words = q.toLowerCase().split(/\s+/).filter(Boolean);
		return this.videos
			.filter((video) => category === undefined || video.category === category)
			.filter(({ hook, angle }) => {
				const text = `${hook} ${angle ?? ''}`.toLowerCase();
				return words.every((word) => text.includes(word));
			})
			.sort((a, b) => getSortValue(b, sort) - getSortValue(a, sort));
	}

	private addVideos(getObservedAt: () => number): void {
		for (const market of markets) {
			const { length } = this.find(market);
			for (let missing = VIDEOS_PER_CATEGORY - length; missing > 0; missing -= 1) {
				this.addVideo(market, getObservedAt());
			}
		}
	}

	private addVideo(market: Market<HookCategory>, observedAt: number): void {
		const number = this.videoCount;
		this.videoCount += 1;
		const dice = createRandom(this.seed, 'video', number);
		const opening = this.drawNewOpening(market, dice);
		const videoId = `73${dice.int(10_000_000, 99_999_999)}${String(number).padStart(6, '0')}`;
		const days = dice.pick([7, 14, 30, 30]);
		// Few videos have very many views.
		const views = Math.round(20_000 * Math.pow(400, dice.next()));
		const unitsSold = Math.round(views * (0.0004 + dice.next() * 0.004));
		// docs/api.md section 2.3: most fields can be null.
		const orNull = <T>(value: T) => (dice.chance(0.05) ? null : value);
		this.videos.push({
			id: `hook_${videoId.slice(-10)}`,
			category: market.category,
			video_id: videoId,
			video_url: orNull(`https://videos.creator-briefing.dev/v/${videoId}`),
			hook: opening.hook,
			angle: orNull(opening.angle),
			why_it_works: orNull(opening.why),
			evidence: orNull(`Marketplace sales attributed to the video over ${days} days`),
			views: orNull(views),
			units_sold: orNull(unitsSold),
			gmv_usd: orNull(toCents(unitsSold * opening.price)),
			metric_window_days: orNull(days),
			is_ad: orNull(dice.chance(0.3)),
			observed_at: orNull(observedAt),
		});
	}

	/** docs/api.md section 4.5: one entry for each video, so no two have the same opening. */
	private drawNewOpening(market: Market, dice: Random): Opening {
		const taken = new Set(this.videos.map(({ hook }) => hook));
		let opening = drawOpening(market, dice);
		for (let draws = 1; taken.has(opening.hook) && draws < 20; draws += 1) {
			opening = drawOpening(market, dice);
		}
		return opening;
	}
}

interface Opening {
	hook: string;
	angle: string;
	why: string;
	price: number;
}

/** Returns the first line of a top-selling video, its angle, and why it works. */
function drawOpening(market: Market, dice: Random): Opening {
	const { hook, angle, why } = dice.pick(openings);
	const { name, price, pain } = dice.pick(market.things);
	const values = {
		thing: name,
		these: `${/[^s]s$/.test(name) ? 'these' : 'this'} ${name}`,
		price: `$${price.toFixed(2)}`,
		pain,
		days: String(dice.pick([3, 7, 14, 21, 30])),
		count: `${dice.int(2, 48)},000`,
	};
	return { hook: fillTemplate(hook, values), angle, why, price };
}

function raiseNumbers(video: Video, dice: Random, now: number): void {
	const growth = 1 + dice.next() * 0.06;
	if (video.views !== null) video.views = Math.round(video.views * growth);
	if (video.units_sold !== null) video.units_sold = Math.round(video.units_sold * growth);
	if (video.gmv_usd !== null) video.gmv_usd = toCents(video.gmv_usd * growth);
	if (video.observed_at !== null && dice.chance(0.7)) video.observed_at = now;
}

/** Returns a number to sort by. `score` mixes reach and sales, and unknown numbers come last. */
function getSortValue(video: Video, sort: NonNullable<HookQuery['sort']>): number {
	switch (sort) {
		case 'views':
			return video.views ?? -1;
		case 'units_sold':
			return video.units_sold ?? -1;
		case 'newest':
			return video.observed_at ?? -1;
		case 'score':
			return Math.log1p(video.views ?? 0) + 1.5 * Math.log1p(video.units_sold ?? 0);
	}
}

function getLastRefreshTime(now: number): number {
	return Math.floor((now - REFRESH_TIME) / DAY) * DAY + REFRESH_TIME;
}

function toCents(amount: number): number {
	return Math.round(amount * 100) / 100;
}
