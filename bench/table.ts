/** One line of docs/performance.md. */
export interface Measured {
	what: string;
	value: number;
	/** What is promised; undefined for a peer that stands beside for comparison. */
	atMost?: number;
}

export function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}

export function isKept({ value, atMost }: Measured): boolean {
	return atMost === undefined || value <= atMost;
}

export function asTable(lines: readonly Measured[]): string {
	const rows = lines.map((line) => {
		const bound = line.atMost === undefined ? '' : `≤ ${line.atMost}`;
		return `| ${line.what} | ${line.value.toFixed(2)} | ${bound} |`;
	});
	return ['| measured | value | promised |', '|---|---|---|', ...rows].join('\n');
}
