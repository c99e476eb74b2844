import type { Disk } from '../../../batch/folder/disk';
import { SendFailure, type Clock, type Send } from '../../../service/api/ports';
import type { DiskOperation } from '../batch/memory-disk';
import type { VirtualClock } from '../virtual-clock';
import { diskOf } from './effects';

/** What a process does to the world outside it; each may be its last. */
export type EffectKind = 'request' | 'sleep' | DiskOperation;

export interface Effect {
	kind: EffectKind;
	/** The path of a file, or the operation of a request. */
	of: string;
}

export interface Death {
	/** Which effect it is that the process does not outlive, from 1. */
	at: number;
	/** Only effects on this path or operation count. */
	of?: string;
	/**
	 * `before` and `after` it took place; `amid`: half of a write is on the disk, or a request is on its way and the
	 * service will do the work when nobody is there to hear of it.
	 */
	when: 'before' | 'after' | 'amid';
}

/** What the dead wait for. */
const nevermore = <T>() => new Promise<T>(() => undefined);

/**
 * One process, from its start to its end: everything it does outside passes through here, is counted, and can be the
 * moment at which it dies, after which nothing of it is heard any more, as with SIGKILL.
 */
export class Life {
	readonly effects: Effect[] = [];
	/** Called before each effect that takes place. */
	onEffect: (n: number, effect: Effect) => void = () => undefined;
	readonly died: Promise<'died'>;
	private isDead = false;
	private readonly end = new AbortController();
	private tellDeath: (how: 'died') => void = () => undefined;

	constructor(private readonly death?: Death) {
		this.died = new Promise((resolve) => (this.tellDeath = resolve));
	}

	/** Ends it from outside. */
	kill(): void {
		this.isDead = true;
		this.end.abort();
		this.tellDeath('died');
	}

	private async effect<T>(
		effect: Effect,
		work: () => Promise<T>,
		half: () => unknown = () => undefined,
	): Promise<T> {
		if (this.hasDied()) return nevermore();
		const n = this.effects.push(effect);
		this.onEffect(n, effect);
		const when = this.isLast(effect) ? this.death?.when : undefined;
		if (when === 'before' || when === 'amid') {
			// A write has reached the disk before anybody can see that the process is dead.
			if (when === 'amid') await half();
			this.kill();
			return nevermore();
		}
		const outcome = await work().then(
			(value) => ({ value }),
			(error: unknown) => ({ error }),
		);
		if (when === 'after') this.kill();
		// It may have died meanwhile.
		if (this.hasDied()) return nevermore();
		if ('error' in outcome) throw outcome.error;
		return outcome.value;
	}

	private isLast(effect: Effect): boolean {
		if (this.death === undefined) return false;
		const { at, of } = this.death;
		if (of === undefined) return this.effects.length === at;
		return effect.of === of && this.effects.filter((one) => one.of === of).length === at;
	}

	private hasDied(): boolean {
		return this.isDead;
	}

	send(send: Send): Send {
		return (request, signal) => {
			signal?.throwIfAborted();
			// An order on its way gets its time to be answered, as in batch/http.ts.
			const cut = request.method === 'POST' ? undefined : signal;
			const work = () => send(request, cut);
			// The service hears what was sent, whoever has died meanwhile.
			const half = () => void send(request).catch(ignoreLoss);
			return this.effect({ kind: 'request', of: request.operation }, work, half);
		};
	}

	/** @param skew how far this machine's clock is ahead of the world's, in milliseconds */
	clock(clock: VirtualClock, skew: () => number): Clock {
		return {
			now: () => clock.now() + skew(),
			sleep: (ms, signal) => {
				const sleep = () => clock.sleep(ms, signal, this.end.signal);
				return this.effect({ kind: 'sleep', of: '' }, sleep);
			},
		};
	}

	disk(disk: Disk): Disk {
		return diskOf(disk, (kind, of, work, half = () => Promise.resolve()) =>
			this.effect({ kind, of }, work, () => half().catch(() => undefined)),
		);
	}
}

function ignoreLoss(error: unknown): void {
	if (!(error instanceof SendFailure)) throw error;
}
