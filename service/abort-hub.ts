interface Listening {
	callbacks: Set<() => void>;
	stop: () => void;
}

/**
 * Passes the abort of one signal on to many through a single listener, because Node warns of a leak above ten listeners
 * and hundreds may wait under one signal.
 */
export class AbortHub {
	private readonly signals = new Map<AbortSignal, Listening>();

	/** Calls back when the signal is aborted, unless the returned function was called before. */
	onAbort(signal: AbortSignal, callback: () => void): () => void {
		const { callbacks, stop } = this.signals.get(signal) ?? this.listenTo(signal);
		callbacks.add(callback);
		return () => {
			callbacks.delete(callback);
			if (callbacks.size > 0) return;
			stop();
			this.signals.delete(signal);
		};
	}

	private listenTo(signal: AbortSignal): Listening {
		const callbacks = new Set<() => void>();
		const callAll = () => {
			for (const callback of [...callbacks]) callback();
		};
		signal.addEventListener('abort', callAll);
		const listening = { callbacks, stop: () => signal.removeEventListener('abort', callAll) };
		this.signals.set(signal, listening);
		return listening;
	}
}
