/**
 * Chooses at each effect of the program (a request, a write) whether a fault happens. The path of an execution is the list of
 * its choices: 0 for no fault, 1 for the first of the possible faults, 2 for the second.
 *
 *     const oracle = new Oracle([0, 2]);
 *     oracle.choose('lost', 'slow')        '': no fault
 *     oracle.choose('lost', 'slow')        'slow'
 */
export class Oracle {
	/** The choice at each effect. */
	readonly taken: number[] = [];
	/** The number of possible choices at each effect. */
	readonly choices: number[] = [];
	/** The faults that were chosen, with the number of the effect. */
	readonly story: string[] = [];

	constructor(private readonly path: readonly number[] = []) {}

	/** Returns the name of a fault, or '' for none. */
	choose(...faults: string[]): string {
		const choice = this.path[this.taken.length] ?? 0;
		this.taken.push(choice);
		this.choices.push(faults.length + 1);
		const fault = choice === 0 ? '' : (faults[choice - 1] ?? '');
		if (fault !== '') this.story.push(`${this.taken.length}: ${fault}`);
		return fault;
	}
}

/** Chooses the given faults in sequence, each as soon as it is possible. */
export class Script extends Oracle {
	private readonly faults: string[];

	constructor(faults: readonly string[]) {
		super();
		this.faults = [...faults];
	}

	override choose(...possible: string[]): string {
		const [next = ''] = this.faults;
		if (!possible.includes(next)) return '';
		this.faults.shift();
		return next;
	}
}
