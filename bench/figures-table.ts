/** A figure of ours, beside what is promised. */
export interface Figure {
	what: string;
	value: number;
	/** What is promised; undefined without a promise. */
	atMost?: number;
	/** The same figure of each peer, or a word that says why there is none. */
	peers?: readonly (number | string)[];
}

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
	const inOrder = [...values].sort((a, b) => a - b);
	return inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * q))] ?? NaN;
}

export function isPromiseKept({ value, atMost }: Figure): boolean {
	return atMost === undefined || value <= atMost;
}

/** @param peers the names of the peers in the other columns */
export function asTable(lines: readonly Figure[], peers: readonly string[] = []): string {
	const head = ['measured', peers.length > 0 ? 'brief-batch' : 'value', 'promised'];
	const rows = lines.map((line) => [
		line.what,
		asText(line.value),
		line.atMost === undefined ? '' : `≤ ${line.atMost}`,
		...peers.map((_, i) => (line.peers ? asText(line.peers[i]) : '')),
	]);
	const titles = [...head, ...peers];
	return [titles, titles.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** Three digits behind the point at most, and no more than say something. */
function asText(value: number | string = ''): string {
	if (typeof value === 'string') return value;
	const digits = Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 1 : 0;
	return String(Number(value.toFixed(digits)));
}
