import type { Clock } from '../../core/api/ports';
import type { VirtualClock } from './virtual-clock';

/** Ends a process at one of its effects, as kill -9 does. */
export class Death extends Error {}

/** One process: dead or alive for all its effects. */
export class VirtualProcess {
	/** True once the disk is full: it stays full until the process has ended. */
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
