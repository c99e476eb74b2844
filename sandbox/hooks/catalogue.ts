import { markets, type HookCategory } from '../market/categories';
import { random, type Random, type Seed } from '../random';
import { winningLine } from './lines';

export type HookSort = 'score' | 'views' | 'units_sold' | 'newest';

interface Video {
	id: string;
	category: HookCategory;
	videoId: string;
	videoUrl: string | null;
	hook: string;
	angle: string | null;
	whyItWorks: string | null;
	evidence: string | null;
	views: number | null;
	unitsSold: number | null;
	gmvUsd: number | null;
	metricWindowDays: number | null;
	isAd: boolean | null;
	observedAt: number | null;
	price: number;
}

const SIZE = 204;
const DAY = 86_400_000;
/** The daily refresh is at six in the morning, UTC. */
const REFRESH_AT = 6 * 3_600_000;
/** After a longer pause the list is refreshed only this often: by then nearly everything is new. */
const MOST_REFRESHES = 45;

/** The winning videos of ContentIQ, refreshed daily (docs/api.md section 1 and 2.3). */
export class HookCatalogue {
	refreshedAt: number;
	private videos: Video[] = [];
	private madeCount = 0;
	private refreshes = 0;

	constructor(
		private readonly seed: Seed,
		now: number,
	) {
		this.refreshedAt = lastRefresh(now);
		while (this.videos.length < SIZE) this.add(this.refreshedAt - (this.madeCount % 9) * DAY);
	}

	refreshUntil(now: number): void {
		const due = Math.ceil((lastRefresh(now) - this.refreshedAt) / DAY);
		const times = Math.min(due, MOST_REFRESHES);
		for (let daysAgo = times - 1; daysAgo >= 0; daysAgo -= 1)
			this.refresh(lastRefresh(now) - daysAgo * DAY);
	}

	/** New numbers for all videos, and new videos in place of some. */
	refresh(now: number): void {
		this.refreshes += 1;
		this.refreshedAt = now;
		const dice = random(this.seed, 'refresh', this.refreshes);
		const goneVideos = new Set(dice.some(this.videos, dice.int(8, 16)));
		this.videos = this.videos.filter((video) => !goneVideos.has(video));
		for (const video of this.videos) this.move(video, dice, now);
		while (this.videos.length < SIZE) this.add(now);
	}

	find(filter: { category?: HookCategory | undefined; sort: HookSort; q: string }): Video[] {
		const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
		return this.videos
			.filter(({ category }) => filter.category === undefined || category === filter.category)
			.filter(({ hook, angle }) => {
				const text = `${hook} ${angle ?? ''}`.toLowerCase();
				return words.every((word) => text.includes(word));
			})
			.sort((one, other) => rank(other, filter.sort) - rank(one, filter.sort));
	}

	private add(observedAt: number): void {
		const number = this.madeCount;
		this.madeCount += 1;
		const market = markets[number % markets.length];
		if (market === undefined) return;
		const dice = random(this.seed, 'video', number);
		const takenTexts = new Set(this.videos.map(({ hook }) => hook));
		let line = winningLine(market, dice);
		// One entry per video (docs/api.md section 4.5), and a reader would notice the same line twice.
		for (let tries = 0; takenTexts.has(line.hook) && tries < 20; tries += 1) {
			line = winningLine(market, dice);
		}
		const videoId = `73${String(dice.int(10_000_000, 99_999_999))}${String(number).padStart(6, '0')}`;
		const metricWindowDays = dice.pick([7, 14, 30, 30]);
		// Few videos are seen very often, many are seen less.
		const views = Math.round(20_000 * Math.pow(400, dice.next()));
		const unitsSold = Math.round(views * (0.0004 + dice.next() * 0.004));
		const isKnown = (share: number) => dice.chance(share);
		this.videos.push({
			id: `hook_${videoId.slice(-10)}`,
			category: market.category,
			videoId,
			videoUrl: isKnown(0.96) ? `https://videos.creator-briefing.dev/v/${videoId}` : null,
			hook: line.hook,
			angle: isKnown(0.95) ? line.angle : null,
			whyItWorks: isKnown(0.93) ? line.why : null,
			evidence: isKnown(0.92)
				? `Marketplace sales attributed to the video over ${metricWindowDays} days`
				: null,
			views: isKnown(0.98) ? views : null,
			unitsSold: isKnown(0.95) ? unitsSold : null,
			gmvUsd: isKnown(0.95) ? cents(unitsSold * line.price) : null,
			metricWindowDays: isKnown(0.97) ? metricWindowDays : null,
			isAd: isKnown(0.9) ? isKnown(0.3) : null,
			observedAt: isKnown(0.97) ? observedAt : null,
			price: line.price,
		});
	}

	private move(video: Video, dice: Random, now: number): void {
		const growth = 1 + dice.next() * 0.06;
		if (video.views !== null) video.views = Math.round(video.views * growth);
		if (video.unitsSold !== null) {
			video.unitsSold = Math.round(video.unitsSold * growth);
			if (video.gmvUsd !== null) video.gmvUsd = cents(video.unitsSold * video.price);
		}
		if (video.observedAt !== null && dice.chance(0.7)) video.observedAt = now;
	}
}

/** `score` is the vendor's blend of reach and sales; unknown numbers come last. */
function rank(video: Video, sort: HookSort): number {
	switch (sort) {
		case 'views':
			return video.views ?? -1;
		case 'units_sold':
			return video.unitsSold ?? -1;
		case 'newest':
			return video.observedAt ?? -1;
		case 'score':
			return Math.log1p(video.views ?? 0) + 1.5 * Math.log1p(video.unitsSold ?? 0);
	}
}

function lastRefresh(now: number): number {
	return Math.floor((now - REFRESH_AT) / DAY) * DAY + REFRESH_AT;
}

function cents(amount: number): number {
	return Math.round(amount * 100) / 100;
}
