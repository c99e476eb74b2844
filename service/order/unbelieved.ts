import type { ErrorFacts } from '../api/errors';

/**
 * One such answer may be a mistake of the service. After two in a row, the next order would be paid for in vain too.
 */
const TOO_MANY = 2;
const MOST_SHOWN = 60;

/** Orders in a row, each with a new key, that were answered with a brief that cannot be theirs. */
export class UnbelievedAnswers {
	private readonly keys = new Set<string>();
	private last = '';

	/** @param product what was ordered */
	add(key: string, product: string, { brief }: Pick<ErrorFacts, 'brief'>): void {
		this.keys.add(key);
		this.last = `The order of “${shortened(product)}” got brief ${shortened(brief?.id ?? '')} (“${shortened(brief?.product_name ?? '')}”).`;
	}

	/** A create was answered with its own brief. */
	believed(): void {
		this.keys.clear();
	}

	/** Why nothing more should be ordered, with what the last answer showed; null as long as all is well. */
	get reason(): { what: string; cure: string } | null {
		if (this.keys.size < TOO_MANY) return null;
		return {
			what: `The service answers orders in a way that this program does not understand: ${TOO_MANY} orders in a row got a brief that cannot be theirs. ${this.last}`,
			cure: 'Nothing more was ordered. These orders may be paid for: look for their briefs in the vendor’s web app, and show this message to the vendor’s support.',
		};
	}
}

/** Without characters that change how a terminal shows the rest. */
function shortened(text: string): string {
	const characters = Array.from(text.replace(/[\p{C}\s]+/gu, ' ').trim());
	return characters.length <= MOST_SHOWN
		? characters.join('')
		: `${characters.slice(0, MOST_SHOWN - 1).join('')}…`;
}
