import { findWaits } from '../../../batch/commands/run-progress';
import { isAccepted } from '../../../batch/orders/order';
import type { ConnectedSession } from '../../../batch/session';
import type { VirtualClock } from '../../support/virtual-clock';

const SAMPLE_MS = 1_000;

/**
 * Looks at a run every second of virtual time, as its progress view does.
 *
 *     const recorder = new WaitRecorder(world.clock);
 *     await world.runBatch({ onSession: recorder.watch });
 *     recorder.stop();
 */
export class WaitRecorder {
	/** Each wait that was named, once, without its times. */
	readonly texts = new Set<string>();
	/** The longest time in which nothing happened and no wait or running brief was shown. */
	longestUnnamedMs = 0;
	private readonly end = new AbortController();

	constructor(private readonly clock: VirtualClock) {}

	readonly watch = (session: ConnectedSession): void => {
		void this.sample(session).catch(() => undefined);
	};

	stop(): void {
		this.end.abort();
	}

	private async sample(session: ConnectedSession): Promise<void> {
		const { store } = session.folder;
		let lastNews = this.clock.now();
		let state = '';
		store.subscribe(() => (lastNews = this.clock.now()));
		for (;;) {
			await this.clock.sleep(SAMPLE_MS, this.end.signal);
			const waits = findWaits(session);
			for (const { text } of waits)
				this.texts.add(text.replace(/since (.* until .* at most|[^;]+)/, 'since …'));
			const { slots } = session.workspace;
			const { currentOutage, oldestRequest, currentListWaits } = session.waits;
			// A wait that has begun is named ten seconds later.
			const begun = [slots.currentWait, currentOutage, oldestRequest, ...currentListWaits];
			const newState = begun.map((span) => span?.since ?? '').join();
			const isNamed = waits.length > 0 || store.orders.live.some(isAccepted);
			if (isNamed || newState !== state) lastNews = this.clock.now();
			state = newState;
			this.longestUnnamedMs = Math.max(this.longestUnnamedMs, this.clock.now() - lastNews);
		}
	}
}
