import type { ErrorFacts } from '../api/errors';
import { quoted, shortened } from '../text';

/**
 * One such answer may be a mistake of the service. After two in a row, the next order would be paid for in vain too.
 */
const TOO_MANY = 2;

/** Orders in a row, each with a new key, that were answered with a brief that cannot be theirs. */
export class UnbelievedAnswers {
	private readonly keys = new Set<string>();
	private last = '';

	/** @param product what was ordered */
	add(key: string, product: string, { brief }: Pick<ErrorFacts, 'brief'>): void {
		this.keys.add(key);
		this.last = `The order of ${quoted(onOneLine(product))} got brief ${shortened(onOneLine(brief?.id ?? ''))} (${quoted(onOneLine(brief?.product_name ?? ''))}).`;
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

/** Takes out the characters that change how a terminal shows the rest. */
function onOneLine(text: string): string {
	return text.replace(/[\p{C}\s]+/gu, ' ').trim();
}
