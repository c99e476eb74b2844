import { IdMap } from '../brief-id';
import { USUAL_LIST_LAG_MS } from '../assumptions';
import { isRunning, type BriefSummary } from '../resources';
import { instantOf } from '../timestamps';

/**
 * The orders that no look has shown yet. One is sent after the other, each after a look that shows the brief of the one
 * before: that look also shows what other processes have ordered meanwhile. Times are of the service's clock.
 */
export class FreshOrders {
	/** Orders that may be on their way. */
	private unanswered = 0;
	/** Briefs that no page has shown, by the time of their creation. */
	private unshown = new IdMap<number>();
	private hasNews = false;

	/** Whether the next order is to wait. */
	get isAwaiting(): boolean {
		return this.unanswered > 0 || this.unshown.size > 0;
	}

	/** Whether the next look is worth making at once, such as after a brief was created. */
	get isLookWanted(): boolean {
		return this.hasNews;
	}

	/** @returns what is to be called when the order is answered; more than once changes nothing */
	begin(): () => void {
		this.unanswered += 1;
		let isOpen = true;
		return () => {
			if (isOpen) this.unanswered -= 1;
			isOpen = false;
		};
	}

	/** Takes in what an order brought. A repeated one may bring an old brief, which the newest page shows no longer. */
	accepted(brief: BriefSummary, now: number): void {
		const created = Math.min(instantOf(brief.created_at) ?? now, now);
		if (!isRunning(brief) || now - created > USUAL_LIST_LAG_MS) return;
		this.unshown.set(brief.id, created);
		this.hasNews = true;
	}

	/** Takes in that the list shows what nothing else does. */
	wantLook(): void {
		this.hasNews = true;
	}

	/** Takes in the newest page. */
	observePage(shown: ReadonlySet<string>, now: number): void {
		const isAwaited = ([id, since]: [string, number]) =>
			!shown.has(id) && now - since <= USUAL_LIST_LAG_MS;
		this.unshown = new IdMap([...this.unshown].filter(isAwaited));
		this.hasNews = false;
	}

	/** Takes in that a brief has ended or is gone. */
	forget(id: string): void {
		this.unshown.delete(id);
	}
}
