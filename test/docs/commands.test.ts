import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { briefBatch } from '../../harness/paths';
import { CommandShell } from '../support/shell/command-shell';

jest.setTimeout(180_000);

const root = resolve(__dirname, '../..');
const read = (document: string) => readFileSync(resolve(root, document), 'utf8');

/** Returns the code blocks of a document that are marked as sh or begin with a known command. */
function findCommandBlocks(document: string): Array<{ name: string; block: string }> {
	const blocks = [...read(document).matchAll(/^```(\w*)\n(.*?)^```$/gms)];
	return blocks
		.filter(([, kind = '', text = '']) => {
			const isCommands = /^(export|npm|npx|brief-batch) /.test(text);
			return kind === 'sh' || (kind === '' && isCommands);
		})
		.map(([, , block = ''], index) => ({
			name: `${index + 1}: ${block.split('\n').slice(0, 2).join('; ')}`,
			block,
		}));
}

/** A reader sits at a terminal, and answers the question with yes. */
const READER = { CREATOR_BRIEFING_YES: 'true' };

const DOCUMENTS = ['README.md', 'batch/README.md', 'docs/operations.md'];

describe.each(DOCUMENTS)('the commands of %s', (document) => {
	let shell: CommandShell;

	// A command of a document can leave rows (3) or have failed rows (1).
	beforeAll(async () => (shell = await CommandShell.open([0, 1, 3])));
	afterAll(() => shell.close());

	// In sequence, as a reader enters them.
	test.each(findCommandBlocks(document))('$name', async ({ block }) => {
		const { code, text, runs } = await shell.run(block, '.', READER);
		const stopped = runs.find((run) => run.code === code && code !== 0);
		expect({ stopped, text: code === 0 ? '' : text, code }).toEqual({
			stopped: undefined,
			text: '',
			code: 0,
		});
		const startedCommands =
			block.match(/^(\w+=\S+ )*(npx creator-briefing-batch|brief-batch) /gm) ?? [];
		expect(runs).toHaveLength(startedCommands.length);
	});
});

describe('commands in the text', () => {
	const named = [
		...['README.md', 'nodes/README.md', 'batch/README.md', 'CONTRIBUTING.md', 'sandbox/README.md'],
		...['docs/operations.md', 'docs/troubleshooting.md', 'docs/reliability.md', 'docs/n8n.md'],
		...['docs/service.md', 'docs/decisions.md', 'docs/architecture.md'],
	].flatMap((document) =>
		[...read(document).matchAll(/`(npm run [\w:-]+|brief-batch [^`]+)/g)].map(
			([, command = '']) => ({ document, command: command.replace(/\s+/g, ' ').trim() }),
		),
	);

	test('brief-batch has every command and option that is named', () => {
		const helpByCommand = new Map<string, string>();
		const unknown: string[] = [];
		for (const { document, command } of named) {
			const [program, verb = '', ...rest] = command.split(' ');
			if (program !== 'brief-batch' || !/^[a-z]+$/.test(verb)) continue;
			if (!helpByCommand.has(verb)) {
				const { status, stdout } = spawnSync(process.execPath, [briefBatch, verb, '--help']);
				helpByCommand.set(verb, status === 0 ? stdout.toString() : '');
			}
			const help = helpByCommand.get(verb) ?? '';
			const options = rest.flatMap((word) => /^--[\w-]+/.exec(word)?.[0] ?? []);
			const isKnown = options.every((option) => new RegExp(`${option}\\b`).test(help));
			if (help === '' || !isKnown) unknown.push(`${document}: ${command}`);
		}
		expect(unknown).toEqual([]);
	});

	test('package.json has every npm script that is named', () => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const missing = named.filter(
			({ command }) =>
				command.startsWith('npm run ') && !((command.split(' ')[2] ?? '') in scripts),
		);
		expect(missing).toEqual([]);
	});
});
