import type { Disk, DiskFile } from '../../../batch/disk';
import type { Clock } from '../../../service/ports';

/** A process is stopped, as with SIGSTOP, and goes on later; never, where `ms` is infinite. */
export interface Stop {
	/** At which of its effects, from 1. */
	at: number;
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
	private effects = 0;
	private goesOn: Promise<void> = Promise.resolve();

	constructor(
		disk: Disk,
		private readonly world: Clock,
		private readonly stops: readonly Stop[],
	) {
		this.stoppedForEver = new Promise((resolve) => (this.tellEnd = resolve));
		this.disk = this.stopping(disk);
		this.clock = {
			now: () => world.now(),
			sleep: (ms, signal) => this.effect(() => world.sleep(ms, signal)),
		};
	}

	kill(): void {
		this.stop(Infinity);
	}

	private async effect<T>(work: () => Promise<T>): Promise<T> {
		const at = (this.effects += 1);
		const due = (when: Stop['when']) => {
			for (const stop of this.stops) if (stop.at === at && stop.when === when) this.stop(stop.ms);
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

	private stopping(disk: Disk): Disk {
		const does =
			<A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
			(...args: A) =>
				this.effect(() => work(...args));
		const open = async (path: string, mode: Parameters<Disk['open']>[1]): Promise<DiskFile> => {
			const file = await disk.open(path, mode);
			return {
				write: does((bytes) => file.write(bytes)),
				sync: does(() => file.sync()),
				truncate: does((length) => file.truncate(length)),
				close: does(() => file.close()),
			};
		};
		return {
			open: does(open),
			read: does((path) => disk.read(path)),
			size: does((path) => disk.size(path)),
			rename: does((from, to) => disk.rename(from, to)),
			remove: does((path) => disk.remove(path)),
			makeFolder: does((path) => disk.makeFolder(path)),
			syncFolder: does((path) => disk.syncFolder(path)),
		};
	}
}
