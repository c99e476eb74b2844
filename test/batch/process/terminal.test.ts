import { openClientFolder, type ClientFolder } from '../../support/client-folder';

jest.setTimeout(60_000);

/** `script` runs the command on a terminal. */
const SCRIPT =
	process.platform === 'darwin'
		? 'script -q /dev/null sh -c "$TYPED"'
		: 'script -qec "sh -c \'$TYPED\'" /dev/null';

/** Types a command at a terminal, and these keys when it asks: a Ctrl-C before the question would be a signal. */
async function type(folder: ClientFolder, command: string, keys: string) {
	const line = command.replace('brief-batch', '"$NODE" --import "$CLOCK" "$BIN"');
	const user = `until grep -qs y/N screen ended; do sleep 0.05; done; printf '${keys}'`;
	const all = `export NODE="$1" CLOCK="$3" BIN="$4"; rm -f screen ended; { ${user}; } | { ${SCRIPT}; code=$?; echo y/N > ended; exit $code; } > screen`;
	const { code } = await folder.run([], { env: { TYPED: line }, via: ['sh', '-c', all, 'sh'] });
	return { code, screen: folder.read('screen').replaceAll('\r', '') };
}

const QUESTION = /Order 2 briefs for brief-batch-\w+\?/;

test('asks on standard error, so that redirected output contains no question', async () => {
	const folder = await openClientFolder(2);
	const { code, screen } = await type(folder, 'brief-batch run products.csv > log', 'y\\n');
	expect([code, folder.sandbox.createdCount()]).toEqual([0, 2]);
	expect(screen).toMatch(QUESTION);
	expect(folder.read('log')).not.toMatch(QUESTION);
	expect(folder.findFaults()).toEqual([]);
});

test.each([
	['Enter', '\\n', 2],
	['Ctrl-C', '\\003', 130],
	['Ctrl-D', '\\004', 2],
])('orders nothing and leaves no folder when the answer is %s', async (_, keys, expected) => {
	const folder = await openClientFolder(2);
	const { code, screen } = await type(folder, 'brief-batch run products.csv', keys);
	expect([code, folder.sandbox.createdCount()]).toEqual([expected, 0]);
	expect(screen).toMatch(QUESTION);
	expect(folder.exists('briefs')).toBe(false);
});

test('leaves the journal as it was when the answer to a retry is no', async () => {
	const folder = await openClientFolder(['Product Name', 'Lamp (discontinued)']);
	await folder.run('run products.csv');
	const before = folder.read('briefs/journal.jsonl');
	const { code } = await type(folder, 'brief-batch retry products.csv', 'n\\n');
	expect([code, folder.sandbox.createdCount()]).toEqual([2, 1]);
	expect(folder.read('briefs/journal.jsonl')).toBe(before);
	expect(folder.exists('briefs/.lock')).toBe(false);
});

test('ends with 2 and asks for --yes when only standard error is not a terminal', async () => {
	const folder = await openClientFolder(2);
	const { code } = await type(
		folder,
		'CREATOR_BRIEFING_YES= brief-batch run products.csv 2> errors',
		'y\\n',
	);
	expect([code, folder.sandbox.createdCount()]).toEqual([2, 0]);
	expect(folder.read('errors')).toContain('--yes');
	const yes = await type(folder, 'brief-batch run products.csv --yes 2> errors', '');
	expect([yes.code, folder.sandbox.createdCount()]).toEqual([0, 2]);
});

test('asks nothing when standard input is not a terminal', async () => {
	const folder = await openClientFolder(2);
	const { code, screen } = await type(folder, 'brief-batch run products.csv < /dev/null', '');
	expect([code, folder.sandbox.createdCount()]).toEqual([0, 2]);
	expect(screen).not.toMatch(QUESTION);
});

test('prints nothing but errors on standard error, and nothing on standard output when it is refused', async () => {
	const folder = await openClientFolder(1);
	const refused = await folder.run('run missing.csv');
	expect([refused.code, refused.out]).toEqual([2, '']);
	expect(refused.err).toContain('missing.csv');
	const finished = await folder.run('run products.csv');
	expect([finished.code, finished.err]).toEqual([0, '']);
});

test('prints no colors into a pipe, even with the variables of a CI system', async () => {
	const folder = await openClientFolder(['Product Name', 'n/a']);
	const { out } = await folder.run('plan products.csv', { env: { CI: 'true', FORCE_COLOR: '1' } });
	expect(out).toMatch(/^ +1 invalid$/m);
});
