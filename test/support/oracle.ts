/**
 * Chooses what happens at each effect of the program: the usual, or one of the faults. The path of an execution is the list
 * of its choices: 0 for the usual, 1 for the first fault, 2 for the second.
 */
export class Oracle {
	readonly taken: number[] = [];
	readonly choices: number[] = [];
	readonly story: string[] = [];

	constructor(private readonly path: readonly number[] = []) {}

	/** Returns '' for the usual course, or the name of a fault. */
	choose(...faults: string[]): string {
		const choice = this.path[this.taken.length] ?? 0;
		this.taken.push(choice);
		this.choices.push(faults.length + 1);
		const fault = choice === 0 ? '' : (faults[choice - 1] ?? '');
		if (fault !== '') this.story.push(`${this.taken.length}: ${fault}`);
		return fault;
	}
}

/** Plays faults in the given sequence, each as soon as it can happen. */
export class Script extends Oracle {
	constructor(private readonly faults: string[]) {
		super();
	}

	override choose(...possible: string[]): string {
		const [next = ''] = this.faults;
		if (!possible.includes(next)) return '';
		this.faults.shift();
		return next;
	}
}
