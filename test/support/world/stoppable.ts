import type { Disk } from '../../../batch/folder/disk';
import type { Clock } from '../../../service/api/ports';
import { diskOf } from './effects';

/** A process is stopped, as with SIGSTOP, and goes on later; never, if `ms` is infinite. */
export interface Stop {
	/** At which of its effects, from 1. */
	at: number;
	/** Only calls to the disk of this kind count, as "write out/journal.jsonl". */
	of?: string;
	/** Whether that effect has taken place already. */
	when: 'before' | 'after';
	ms: number;
}

/** One process that is stopped and goes on. While it is stopped it does nothing; time and all others go on. */
export class Stoppable {
	readonly disk: Disk;
	readonly clock: Clock;
	readonly stoppedForEver: Promise<'stopped'>;
	private tellEnd: (how: 'stopped') => void = () => undefined;
	private readonly effects: string[] = [];
	private goesOn: Promise<void> = Promise.resolve();

	constructor(
		disk: Disk,
		private readonly world: Clock,
		private readonly stops: readonly Stop[],
	) {
		this.stoppedForEver = new Promise((resolve) => (this.tellEnd = resolve));
		this.disk = diskOf(disk, (kind, path, work) => this.effect(`${kind} ${path}`, work));
		this.clock = {
			now: () => world.now(),
			sleep: (ms, signal) => this.effect('sleep', () => world.sleep(ms, signal)),
		};
	}

	kill(): void {
		this.stop(Infinity);
	}

	private async effect<T>(what: string, work: () => Promise<T>): Promise<T> {
		this.effects.push(what);
		const alike = this.effects.filter((one) => one === what).length;
		const all = this.effects.length;
		const isDue = ({ at, of }: Stop) =>
			of === undefined ? at === all : of === what && at === alike;
		const due = (when: Stop['when']) => {
			for (const stop of this.stops) if (isDue(stop) && stop.when === when) this.stop(stop.ms);
		};
		due('before');
		await this.goesOn;
		try {
			return await work();
		} finally {
			due('after');
			await this.goesOn;
		}
	}

	private stop(ms: number): void {
		const before = this.goesOn;
		if (ms < Infinity) {
			this.goesOn = before.then(() => this.world.sleep(ms));
			return;
		}
		this.goesOn = new Promise(() => undefined);
		this.tellEnd('stopped');
	}
}
