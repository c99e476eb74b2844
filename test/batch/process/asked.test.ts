import { deskOf, JOURNAL, products, type Desk } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

/** Types a command at a terminal of its own, with what is redirected in it, and these keys when it asks. */
async function typed(command: string, keys: string, given?: Desk) {
	const desk = given ?? (await deskOf(2));
	const terminal = process.platform === 'darwin' ? SCRIPT_OF_MACOS : SCRIPT;
	const line = command.replace('brief-batch', '"$NODE" --import "$CLOCK" "$BIN"');
	// A key that is typed before the question would be another one: Ctrl-C would be a signal.
	const person = `until grep -qs y/N screen ended; do sleep 0.05; done; printf '${keys}'`;
	const all = `export NODE="$1" CLOCK="$3" BIN="$4"; rm -f screen ended; { ${person}; } | { ${terminal}; code=$?; echo y/N > ended; exit $code; } > screen`;
	// script needs the program by name: behind `via` come Node.js and the compiled program.
	const { code } = await desk.start([], { TYPED: line }, ['sh', '-c', all, 'sh']).ended;
	return { desk, code, screen: desk.read('screen').replaceAll('\r', '') };
}

const SCRIPT = 'script -qec "sh -c \'$TYPED\'" /dev/null';
const SCRIPT_OF_MACOS = 'script -q /dev/null sh -c "$TYPED"';

const QUESTION = /Order 2 briefs for brief-batch-\w+\?/;
const [YES, NO, CTRL_C, CTRL_D] = ['y\\n', 'n\\n', '\\003', '\\004'];

describe('who sits at a terminal is asked', () => {
	test.each([
		['into a file', 'brief-batch run products.csv > log'],
		['with --json', 'brief-batch run products.csv --json > log'],
		['with --json on the terminal', 'brief-batch run products.csv --json'],
		['with all that is said into a pipe', 'brief-batch run products.csv 2>&1 | cat'],
		['behind a pipe', 'cat products.csv | brief-batch run - --batch shop > log'],
		['without input', 'brief-batch run products.csv < /dev/null'],
	])('%s, and a no orders nothing', async (_, command) => {
		const { desk, screen } = await typed(command, NO);
		expect(screen).toMatch(QUESTION);
		expect(desk.creates()).toBe(0);
	});

	test('and a yes orders, with the question on the terminal and not in the file', async () => {
		const command = 'cat products.csv | brief-batch run - --batch shop > log';
		const { desk, code, screen } = await typed(command, YES);
		expect([code, desk.creates()]).toEqual([0, 2]);
		expect(screen).toMatch(QUESTION);
		expect(desk.read('log')).not.toMatch(QUESTION);
	});

	test('and who could not see the question is told to add --yes', async () => {
		const { desk, code } = await typed('brief-batch run products.csv 2> errors', YES);
		expect([code, desk.creates()]).toEqual([2, 0]);
		expect(desk.read('errors')).toContain('add --yes');
	});
});

const FAILING = 'Lamp (discontinued),17290009,SKU-9';

describe('a no leaves everything as it was', () => {
	/** Journal, what status says with its code, and what was paid. */
	const stateOf = async (desk: Desk) => {
		const { code, out } = await desk.run('status');
		return [desk.read(JOURNAL), code, out, desk.sandbox.createdCount()];
	};

	test.each([
		['n', NO, 2],
		['Enter alone', '\\n', 2],
		['Ctrl-C', CTRL_C, 130],
		['the end of input', CTRL_D, 2],
	])('%s to run and to retry', async (_, keys, expected) => {
		const desk = await deskOf([...products(1), FAILING]);
		expect((await desk.order()).code).toBe(1);
		const before = await stateOf(desk);
		const retry = await typed('brief-batch retry products.csv', keys, desk);
		expect([retry.code, await stateOf(desk)]).toEqual([expected, before]);
		// A schedule that comes later pays for nothing.
		expect([(await desk.order()).code, desk.sandbox.createdCount()]).toEqual([1, 2]);
		desk.csv('products.csv', [...products(2), FAILING]);
		const later = await stateOf(desk);
		const run = await typed('brief-batch run products.csv', keys, desk);
		expect([run.code, await stateOf(desk)]).toEqual([expected, later]);
	});

	test('also of a new folder, so that another CSV begins its batch', async () => {
		const { desk } = await typed('brief-batch run products.csv', NO);
		await desk.expectEnd('status', 2, 'No run is on record');
		desk.csv('right.csv', products(1));
		await desk.expectEnd('run right.csv', 0);
		expect(desk.journal().records.batch).toBe('right.csv');
	});
});

describe('the question', () => {
	const questionOn = (screen: string, from: string) =>
		screen.slice(screen.indexOf(from), screen.indexOf('[y/N]')).replace(/\p{Cc}\[\d+[A-Z]/gu, '');

	test('names whom for, CSV, folder, what is ordered and why, what is not, and what is left', async () => {
		const rows = products(4).slice(1);
		const header = 'Product Name,Product ID,SKU,Commission';
		const csv = (lines: string[]) =>
			desk.csv('products.csv', [header, ...lines.map((line) => `${line},x`), 'Mug,17290010,S,y']);
		const desk = await deskOf([], { allowance: 10 });
		csv([...rows, FAILING]);
		await desk.order('--where', 'Commission=x');
		csv([
			...rows.map((line) => line.replace('ct 1,', 'ct One,')),
			FAILING,
			...products(8).slice(6),
		]);
		const options = '--where Commission=x --keep 2 --name Acme --order-changed';
		const { screen } = await typed(`brief-batch retry products.csv ${options}`, NO, desk);
		const [, month] = /resets on 1 (\w+ \d+) \(UTC\)/.exec(screen) ?? [];
		const [, from] = /can go on from 1 (\w+(.*\n.*), over 1 month)/.exec(screen) ?? [];
		expect(questionOn(screen, 'row 2     changed  Product One  product')).toBe(
			`row 2     changed  Product One  product_name: was “Product 1”, now “Product One”
row 6     another try  Lamp (discontinued)
row 7     new  Product 6

Acme: products.csv, into briefs
  rows                          8
  left out                      1   by --where
  ready                         3
  new                           3
  changed                       1   ordered before with other content, and now
                                    again
  another try                   1   The service could not write this brief
                                    (product_unavailable). Without a change, a
                                    retry will probably fail again: the row
                                    failed more than once, or the service does
                                    not write about such a product. Change what
                                    the row says, or ask the vendor’s support.
Allowance
  this month                   10   resets on 1 ${month} (UTC)
  used                          5
  left                          5   --keep 2 leaves that many unused
  this run takes                3
  deferred                      2   because of --keep; can go on from 1 ${from}

“Commission” is not sent. If it holds the campaign_terms, map it before you
order (later, every row would count as changed): --map
"Commission=campaign_terms".
--order-changed names no rows, so it means all of them.
Order 3 briefs for Acme? 2 of 10 are left this month afterwards. `,
		);
	});

	test('shows the first and the last of more than twenty rows, and the command that shows all', async () => {
		const desk = await deskOf([...products(29), FAILING], { allowance: 100 });
		await desk.order('--only', '31');
		const { screen } = await typed('brief-batch run products.csv --max 25', NO, desk);
		const shown = questionOn(screen, 'row 2 ');
		const numbers = [...shown.matchAll(/^row (\d+) +new {2}Product/gm)].map(([, row]) =>
			Number(row),
		);
		const from = (first: number) => Array.from({ length: 10 }, (_, at) => first + at);
		expect(numbers).toEqual([...from(2), ...from(17)]);
		const command = 'brief-batch plan products.csv > plan.txt';
		expect(shown).toContain(`\n… 5 rows more. All of them:\n         ${command}`);
		expect(shown).toMatch(/\n {2}failed +1 .*\n(.*\n)* {2}beyond --max +4 /);
		await desk.paste(command);
		expect(desk.read('plan.txt').match(/^row \d+ +new {2}/gm)).toHaveLength(29);
		const plan = await typed('brief-batch plan products.csv', '', desk);
		expect(plan.screen.match(/row \d+ +new {2}/g)).toHaveLength(20);
		expect(plan.screen).toContain('… and 9 more new rows.\n');
		expect(plan.screen).toContain('Write them to a file to have all: add > plan.txt\n');
	});

	test('before a row gets the brief of another product, even if nothing is paid; a no leaves it as it was', async () => {
		const desk = await deskOf(1);
		const { id } = desk.sandbox.addBrief({ product_name: 'Kettle', status: 'ready' });
		const command = `brief-batch run products.csv --adopt 2=${id}`;
		const surprise = `--adopt gives row 2 (“Product 1”) brief ${id}, which is a brief of “Kettle”.`;
		const no = await typed(command, NO, desk);
		expect([no.code, no.screen.replaceAll('\n', ' ')]).toEqual([
			2,
			expect.stringContaining(surprise),
		]);
		expect(desk.exists(JOURNAL) ? desk.read(JOURNAL) : '').not.toContain(id);
		expect((await typed(command, 'Yes\\n', desk)).code).toBe(0);
		expect(desk.results()[0]).toMatchObject({ brief_status: 'ready', brief_id: id });
		expect(desk.creates()).toBe(0);
	});

	test('says that this folder knows no product of the list, and without a terminal --yes is needed', async () => {
		const desk = await deskOf(1);
		await desk.order();
		desk.csv('products.csv', ['Product Name', 'Kettle', 'Pan']);
		const surprise = 'The folder briefs has orders, but none of a product in products.csv.';
		const { screen } = await typed('brief-batch run products.csv', NO, desk);
		expect(questionOn(screen, 'row 2 ')).toContain(`${surprise}\nOrder 2 briefs`);
		for (const options of [[], ['--quiet']]) {
			const said = `${surprise} Nothing was ordered.\nIf that is right, add --yes.\n`;
			await desk.expectEnd(['run', 'products.csv', ...options], 2, said);
		}
		expect(desk.sandbox.createdCount()).toBe(1);
		await desk.expectEnd('run products.csv --yes --quiet', 0, surprise);
		expect(desk.sandbox.createdCount()).toBe(3);
	});
});
