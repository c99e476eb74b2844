import type { Clock } from '../../core/api/ports';
import type { VirtualClock } from './virtual-clock';

/** Thrown by every effect of a process that was killed, as by kill -9. */
export class Death extends Error {}

/** One process. When it dies, all of its effects fail. */
export class VirtualProcess {
	/** Whether the disk is full. It remains full until the process has ended. */
	isDiskFull = false;
	readonly clock: Clock;
	private readonly death = new AbortController();
	private readonly interruption = new AbortController();

	constructor(clock: VirtualClock) {
		this.clock = {
			now: () => clock.now(),
			sleep: async (ms, signal) => {
				this.checkAlive();
				await clock.sleep(ms, signal, this.death.signal);
				this.checkAlive();
			},
		};
	}

	get isDead(): boolean {
		return this.death.signal.aborted;
	}

	die(): never {
		this.death.abort(new Death());
		throw new Death();
	}

	checkAlive(): void {
		if (this.isDead) throw new Death();
	}

	/** Ctrl-C. */
	interrupt(): void {
		this.interruption.abort();
	}

	get signal(): AbortSignal {
		return this.interruption.signal;
	}
}
