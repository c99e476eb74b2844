import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../harness/paths';
import { likeness, messagesOfSource, type Message } from '../support/messages/messages';

const DOCUMENT = 'docs/troubleshooting.md';

/** Two texts that share so much are one message, whose wording has changed. */
const ALIKE = 0.6;

const messages = messagesOfSource();
// Behind the message may stand the exit code.
const entries = [
	...readFileSync(join(repositoryRoot, DOCUMENT), 'utf8').matchAll(
		/^\| `([^`]+)`(?: \(\d\))? \| ([^|]+) \| ([^|]+) \|$/gm,
	),
].map(([, text = '', cause = '', cure = '']) => ({ text, cause, cure }));

/** Each message with its entry: first those of the same words, then the most alike of those that are left. */
function paired(): { missing: Message[]; stale: string[] } {
	const missing = new Set(messages);
	const stale = new Set(entries.map(({ text }) => text));
	const pairs = messages
		.flatMap((message) =>
			[...stale].map((text) => ({
				message,
				text,
				alike: text === message.text ? 2 : likeness(message.text, text),
			})),
		)
		.filter(({ alike }) => alike >= ALIKE)
		.sort((a, b) => b.alike - a.alike);
	for (const { message, text } of pairs) {
		if (!missing.has(message) || !stale.has(text)) continue;
		missing.delete(message);
		stale.delete(text);
	}
	return { missing: [...missing], stale: [...stale] };
}

const { missing, stale } = paired();

test('every message that a user can meet stands in the list, with its cause and its cure', () => {
	const rows = missing.map(
		({ text, file }) =>
			`add (${file}):  | \`${text.replace(/\s+/g, ' ')}\` | its cause | its cure |`,
	);
	expect(rows).toEqual([]);
});

test('the list holds no message that nobody can meet', () => {
	expect(stale.map((text) => `remove, or put the new wording in:  ${text}`)).toEqual([]);
});

test('no message stands there twice', () => {
	const texts = entries.map(({ text }) => text);
	expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
});

test('the messages of commands, files, service and nodes are found in the source', () => {
	const files = new Set(messages.map(({ file }) => file.split('/').slice(0, 2).join('/')));
	expect([...files]).toEqual(
		expect.arrayContaining([
			...['batch/cli', 'batch/csv', 'batch/journal', 'batch/lock', 'batch/run'],
			...['service/explain.ts', 'service/input.ts', 'nodes/CreatorBriefing', 'nodes/shared'],
		]),
	);
	expect(messages.length).toBeGreaterThan(100);
});
