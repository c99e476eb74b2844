import { markup, type Html } from './html';

/** A command in a sentence: behind a colon or on its own line, up to the end of its sentence. */
const COMMAND =
	/(?<=^|: |\n)brief-batch [a-z]+ (?:"[^"]*"|'[^']*'|[^"'\n])*?(?=\.? *(?:\n|$)|\. [A-Z])/g;

/** A command on a line of its own, with a button that copies it; the button is hidden until its script runs. */
export function commandBox(command: string): Html {
	return markup`<div class="command"><code tabindex="0">${command}</code><button type="button" hidden>Copy</button></div>
`;
}

/** Gives a text with each command in it in its box. */
export function withCommands(text: string): Html {
	const parts: Html[] = [];
	let from = 0;
	for (const { 0: command, index } of text.matchAll(COMMAND)) {
		parts.push(prose(text.slice(from, index)), commandBox(command));
		from = index + command.length;
	}
	return markup`${parts}${prose(text.slice(from))}`;
}

function prose(text: string): Html {
	const said = text.replace(/^\.?\s+|^\.$/, '').trimEnd();
	return said === '' ? markup`` : markup`<bdi>${said}</bdi>`;
}
