export interface Figure {
	name: string;
	value: number;
	/** The highest acceptable value. */
	target: number;
	/** The same figure of each peer. */
	peers?: number[];
}

/** Follows a missed figure in docs/performance.md. `npm run packages` packs no release while the page has one. */
export const MISSED = '(missed)';

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}
