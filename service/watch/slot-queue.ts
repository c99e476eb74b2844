/** One who waits for a slot. */
export interface SlotRequest {
	/**
	 * Time of this machine's clock before which no slot is taken; -Infinity unless the service refused one that looked
	 * free.
	 */
	readonly notBefore: number;
	/** Whether it ends after the next look, whatever that shows. */
	readonly once: boolean;
}

/**
 * Who waits for a slot, in which order, and who gets one. Strictly in order: while the first is held back because the
 * service refused it, all behind it are held back too, for they would be refused as well.
 */
export class SlotQueue<T extends SlotRequest> {
	private readonly requests: T[] = [];

	get all(): readonly T[] {
		return this.requests;
	}

	/** Adds one at the end, or before all newcomers if the service refused it: those keep their places. */
	join(request: T): void {
		const isNew = ({ notBefore }: SlotRequest) => notBefore === -Infinity;
		const newcomer = isNew(request) ? -1 : this.requests.findIndex(isNew);
		this.requests.splice(newcomer < 0 ? this.requests.length : newcomer, 0, request);
	}

	leave(request: T): void {
		const place = this.requests.indexOf(request);
		if (place >= 0) this.requests.splice(place, 1);
	}

	/**
	 * Who gets one of the free slots, and who is refused one now; the others wait on. All stay in the queue.
	 * @param toGive how many of the free slots may be given at once
	 */
	serve(freeSlots: number, now: number, toGive = freeSlots): { granted: T[]; refused: T[] } {
		const held = this.requests.findIndex(({ notBefore }) => notBefore > now);
		const first = held < 0 ? this.requests.length : held;
		const granted = this.requests.slice(0, Math.min(toGive, first));
		return {
			granted,
			refused: this.requests.slice(Math.min(freeSlots, first)).filter(({ once }) => once),
		};
	}

	/** Whether one of them ends after the next look. */
	get isAnyForOnce(): boolean {
		return this.requests.some(({ once }) => once);
	}

	/**
	 * When to look at the list for those who wait, the only place where slots are seen; Infinity if nobody waits.
	 * @param next when a look may show more than the last one
	 */
	nextLook(next: number): number {
		const [first] = this.requests;
		if (first === undefined) return Infinity;
		return this.isAnyForOnce ? next : Math.max(next, first.notBefore);
	}
}
