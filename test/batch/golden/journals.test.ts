import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openTable } from '../../../batch/csv/table';
import { endedAs, type Records } from '../../../batch/folder/records';
import type { BriefInput } from '../../../service/api/resources';
import { Desk, JOURNAL } from '../../support/batch/desk';
import { journalIn } from '../../support/batch/journal-events';
import { Promises } from '../../support/world/promises';
import { World } from '../../support/world/world';
import { GOLDEN_JOURNALS, type GoldenJournal, type Held, type Resumed } from './golden-journals';
import { MINUTE } from '../../support/time';

/*
 * Freezes what the journals mean that users have: one file for each stage in which a run may leave a row. A brief that
 * is on record, or whose order may have been placed and is listed, must never be ordered again, whatever version
 * resumes the journal; and what is sent again is sent with the key that it had, for another key would be paid again. So
 * neither the files nor the expectations are ever changed to fit the code.
 *
 * Runs in the virtual world wrote the files: they were killed before or after an answer, refused by the service, or
 * left with a brief that does not end.
 */

const bytesOf = (file: string) => readFileSync(join(__dirname, '../../golden/journals', file));

/** The rows of csv/products.csv by their numbers. */
async function products(): Promise<Map<number, BriefInput>> {
	const table = await openTable(join(__dirname, '../../golden/csv/products.csv'), {
		map: [],
		set: {},
	});
	return new Map(table.rows.map(({ number, input }) => [number, input]));
}

function hold(world: World, briefs: readonly Held[], rows: Map<number, BriefInput>): void {
	for (const { id, key, row, created, minutes, failed, shows } of briefs) {
		const facts = { id, key, created: Date.parse(created), failed };
		world.service.put(shows ?? rows.get(row)!, minutes * MINUTE, facts);
	}
}

async function resume({ file, rows = [2] }: GoldenJournal, [at, , holds]: Resumed): Promise<World> {
	const world = new World({}, Date.parse(at));
	const inputs = await products();
	world.rows = rows.map((number) => inputs.get(number)!);
	world.disk.put(JOURNAL, bytesOf(file));
	hold(world, holds, inputs);
	const ending = await world.run();
	new Promises(world).check();
	expect('report' in ending && ending.report.end.stop).toBeUndefined();
	return world;
}

const sentKeys = ({ service }: World | Desk) =>
	service.creates().map(({ headers }) => headers['idempotency-key']);

/** Stage, end and brief of each record; a brief that this run has ordered is “new”. */
function shortly(records: Records, holds: readonly Held[], known: Records): string[] {
	const isKnown = (id: string) =>
		holds.some((brief) => brief.id === id) || known.all().some(({ state }) => state.briefId === id);
	return records.all().map((order) => {
		const { stage, briefId: id } = order.state;
		const ended = endedAs(order);
		const brief = id === null || isKnown(id) ? id : 'new';
		const lack = ended === 'ready' && order.file === null ? 'without a file' : null;
		return [stage, ended, brief, lack].filter((word) => word !== null).join(' ');
	});
}

describe.each(GOLDEN_JOURNALS)('$file', (journal) => {
	const { file, resumed } = journal;

	test.each(resumed)('at %s, when it %s', async (...how) => {
		const [, , holds, sent, exitCode, after] = how;
		const known = journalIn(bytesOf(file), file).records;
		const world = await resume(journal, how);
		expect(sentKeys(world)).toEqual(sent);
		expect(world.past[0]?.ending).toMatchObject({ report: { end: { exit_code: exitCode } } });
		expect(shortly(world.records(), holds, known)).toEqual(after);
		// And once more: whatever is paid now is known.
		await world.run();
		expect(sentKeys(world)).toEqual(sent);
	});
});

test('the torn end of a journal is cut off, and kept beside it', async () => {
	const journal = GOLDEN_JOURNALS.find(({ file }) => file === 'torn.jsonl')!;
	const world = await resume(journal, journal.resumed[1]!);
	const text = bytesOf('torn.jsonl').toString();
	const sound = text.slice(0, text.lastIndexOf('\n') + 1);
	expect(world.disk.text(JOURNAL).startsWith(`${sound}{"n":5,`)).toBe(true);
	const kept = world.disk.files().filter((path) => path.includes('.torn-'));
	expect(kept.map((path) => world.disk.text(path))).toEqual([text.slice(sound.length)]);
});

test.each(['products.csv', 'products-again.csv'])(
	'the finished journal products.jsonl with %s orders nothing',
	async (csv) => {
		const desk = new Desk({}, Date.parse('2026-12-20T12:00:00Z'));
		desk.disk.put('out/journal.jsonl', bytesOf('products.jsonl'));
		const table = await openTable(join(__dirname, '../../golden/csv', csv), { map: [], set: {} });
		const { exitCode, records } = await desk.run(table);
		expect([exitCode, sentKeys(desk)]).toEqual([0, []]);
		expect(new Set(records.all().map(({ state }) => state.stage))).toEqual(new Set(['done']));
	},
);

test('every file under journals/ is resumed here', () => {
	const files = readdirSync(join(__dirname, '../../golden/journals'));
	expect(files).toEqual([...GOLDEN_JOURNALS.map(({ file }) => file), 'products.jsonl'].sort());
});
