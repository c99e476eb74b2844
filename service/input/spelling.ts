import { isLink } from './links';

/** Zero-width marks, soft hyphens and the signs of the direction of writing, for example. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Texts that are already as they are compared, except for capitals. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Gives a text as it is compared, never as it is sent: without what is invisible, or changes when a program saves a
 * table. That is how letters are composed, capitals, double and hard blanks, and zero-width marks. A link keeps its
 * capitals.
 */
export function spelling(text: string): string {
	const plain = PLAIN.test(text)
		? text
		: text.replace(INVISIBLE, '').normalize('NFKC').replace(/\s+/g, ' ').trim();
	return isLink(plain) ? plain : plain.toLowerCase();
}
