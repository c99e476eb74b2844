import type { BriefInput } from '../../../service/resources';
import { decodeLine, encodeLine } from '../../../batch/journal/line';
import type { JournalEvent } from '../../../batch/journal/events';
import { Desk, tableOf, type Given } from '../../support/batch/desk';
import { refusal } from '../../support/faults';

const BRUSH: BriefInput = { product_name: 'Brush', audience: 'parents', campaign_terms: '10 %' };
const WITHOUT_TERMS: BriefInput = { product_name: 'Brush', audience: 'parents' };
const FOR_STUDENTS: BriefInput = { ...BRUSH, audience: 'students' };

async function ordered(...given: Given[]): Promise<Desk> {
	const desk = new Desk();
	await desk.run(given);
	return desk;
}

/** Writes the journal anew, with other events. */
function rewrite(desk: Desk, change: (events: JournalEvent[]) => JournalEvent[]): void {
	const path = 'out/journal.jsonl';
	const lines = desk.disk.text(path).trimEnd().split('\n');
	const events = lines.map((line, index) => decodeLine(index + 1, line)!);
	const text = change(events).map((event, index) => encodeLine(index + 1, event));
	desk.disk.put(path, Buffer.from(text.join('')));
}

const brushes = ({ service }: Desk) =>
	service.briefs.filter(({ input }) => input.product_name === 'Brush').length;

describe('a row whose content is not what was ordered', () => {
	test('is changed: it keeps its brief, is not ordered, and asks for a person', async () => {
		const desk = await ordered(BRUSH, 'Mug');
		const { id } = desk.service.briefs.find(({ input }) => input.product_name === 'Brush')!;
		const { exitCode, counts, events } = await desk.run([WITHOUT_TERMS, 'Mug']);
		expect([exitCode, brushes(desk)]).toEqual([1, 1]);
		expect(counts).toMatchObject({ ready: 1, changed: 1, pending: 0 });
		const [row] = desk.results();
		expect(row).toMatchObject({ brief_status: 'changed', brief_id: id });
		expect(row?.brief_file).toMatch(/^results\/brush-/);
		expect(row?.brief_error).toMatch(/campaign_terms: was “10 %”, now empty\./);
		expect(row?.brief_error).toContain('--order-changed');
		expect(events).toContainEqual({
			event: 'row_changed',
			row: 2,
			product_name: 'Brush',
			brief_id: id,
			fields: ['campaign_terms'],
			differences: 'campaign_terms: was “10 %”, now empty',
		});
	});

	test('does not hold up the rows that are really new', async () => {
		const desk = await ordered(BRUSH);
		const { counts } = await desk.run([WITHOUT_TERMS, 'Mug']);
		expect(counts).toMatchObject({ ready: 1, changed: 1 });
		expect(desk.paid()).toEqual(['Brush', 'Mug']);
	});

	test('that is edited back is done as before', async () => {
		const desk = await ordered(BRUSH);
		await desk.run([WITHOUT_TERMS]);
		expect(await desk.run([BRUSH])).toMatchObject({ exitCode: 0, counts: { ready: 1 } });
		expect(brushes(desk)).toBe(1);
	});

	test('beside the row that was ordered is a further one, and new', async () => {
		const desk = await ordered(BRUSH);
		const { exitCode, counts } = await desk.run([BRUSH, FOR_STUDENTS]);
		expect([exitCode, counts.ready, brushes(desk)]).toEqual([0, 2, 2]);
	});

	test('is named by what --set gave then, and gives now', async () => {
		const terms =
			'Free returns until the end of the month, in every country of the Union and beyond it';
		const desk = new Desk();
		await desk.run({
			...tableOf([{ ...BRUSH, campaign_terms: terms }]),
			set: { campaign_terms: ` ${terms}\r\n` },
		});
		await desk.run({
			...tableOf([{ ...BRUSH, campaign_terms: '5 %' }]),
			set: { campaign_terms: '5 %' },
		});
		expect(desk.results()[0]?.brief_error).toBe(
			'Not what was ordered on 10 November 2026: campaign_terms: was “Free returns until the end of the month, in every country o…” (from --set of the run of 10 November 2026), now “5 %” (from --set of this run). It keeps the brief of that order. Put it back as it was, or order the row again, for another brief: --order-changed 2.',
		);
	});

	test.each([
		['accepted, and is seen to its end', []],
		['without an answer, and is looked for', ['accepted']],
	])('stays changed where its earlier order was %s', async (_name, lost) => {
		const desk = new Desk();
		desk.onEvent = ({ event }) => {
			if (event === 'brief_accepted') desk.interruption.abort();
		};
		await desk.run([BRUSH]);
		desk.onEvent = () => undefined;
		rewrite(desk, (events) => events.filter(({ type }) => !lost.includes(type)));
		const { counts } = await desk.run([WITHOUT_TERMS]);
		expect([desk.states(), counts.changed, brushes(desk)]).toEqual([['done'], 1, 1]);
		expect(desk.statuses()).toEqual({ Brush: 'changed' });
	});

	test('says so where nobody knows whether its earlier order has a brief', async () => {
		const desk = new Desk();
		desk.onEvent = ({ event }) => {
			if (event === 'brief_ordered') desk.interruption.abort();
		};
		await desk.run([BRUSH]);
		desk.onEvent = () => undefined;
		const { exitCode } = await desk.run([WITHOUT_TERMS]);
		expect([exitCode, brushes(desk)]).toEqual([1, 0]);
		expect(desk.results()[0]?.brief_error).toContain('Nobody knows yet whether');
	});

	test('is ordered where the earlier order has failed: editing it is the cure', async () => {
		const desk = new Desk({ failed: (index) => index === 0 });
		await desk.run([BRUSH]);
		expect(await desk.run([WITHOUT_TERMS])).toMatchObject({ exitCode: 0, counts: { ready: 1 } });
	});

	test('is ordered once the earlier brief, which was being written, has failed', async () => {
		const desk = new Desk({ failed: (index) => index === 0 });
		desk.onEvent = ({ event }) => {
			if (event === 'brief_accepted') desk.interruption.abort();
		};
		await desk.run([BRUSH]);
		desk.onEvent = () => undefined;
		await desk.run([WITHOUT_TERMS]);
		await desk.run([WITHOUT_TERMS]);
		expect(desk.statuses()).toEqual({ Brush: 'ready' });
		expect(brushes(desk)).toBe(2);
	});

	test('is held back also where its own order was withdrawn before', async () => {
		const desk = await ordered(BRUSH);
		const refused = refusal(429, 'allowance_reached', 'Nothing is left of this month');
		desk.service.fail('create_brief', { answer: refused });
		await desk.run([BRUSH, FOR_STUDENTS]);
		expect(desk.states()).toEqual(['done', 'withdrawn']);
		await desk.run([FOR_STUDENTS]);
		expect([brushes(desk), desk.statuses()]).toEqual([1, { Brush: 'changed' }]);
	});

	test('shares that with the rows of the same content', async () => {
		const desk = await ordered(BRUSH);
		const { counts } = await desk.run([WITHOUT_TERMS, WITHOUT_TERMS]);
		expect(counts).toMatchObject({ changed: 1, duplicate: 1 });
		expect(desk.results().map(({ brief_status }) => brief_status)).toEqual(['changed', 'changed']);
	});

	test('is not one where a row only lost its --allow-duplicates', async () => {
		const desk = new Desk();
		await desk.run([BRUSH, BRUSH], { allowDuplicates: true });
		const { counts } = await desk.run([BRUSH, BRUSH, FOR_STUDENTS]);
		expect([counts.changed, brushes(desk)]).toEqual([0, 3]);
	});

	test('is not one in a file that holds only a part of the batch, where results.csv has the other row', async () => {
		const desk = await ordered(BRUSH);
		const part = { reads: undefined, whole: tableOf([BRUSH]) };
		const { counts } = await desk.run([FOR_STUDENTS], { part });
		expect([counts.changed, brushes(desk)]).toEqual([0, 2]);
	});

	test('is one in such a file where nobody knows the other rows, as after a kill before results.csv was written', async () => {
		const desk = await ordered(BRUSH);
		const part = { reads: undefined, whole: null };
		const { counts } = await desk.run([WITHOUT_TERMS], { part });
		expect([counts.changed, brushes(desk)]).toEqual([1, 1]);
	});
});

describe('--order-changed', () => {
	test('orders it as new content, under a key of its own, once', async () => {
		const desk = await ordered(BRUSH);
		const anew = await desk.run([WITHOUT_TERMS], { orderChanged: true });
		expect(anew).toMatchObject({ exitCode: 0, counts: { ready: 1, changed: 0 } });
		expect(brushes(desk)).toBe(2);
		expect(new Set(desk.service.briefs.map(({ key }) => key)).size).toBe(2);
		// Without the option it is done now, and stays so.
		expect(await desk.run([WITHOUT_TERMS])).toMatchObject({ exitCode: 0, counts: { ready: 1 } });
		expect(brushes(desk)).toBe(2);
	});

	test('leaves nothing that holds back a further row of the product', async () => {
		const desk = await ordered(BRUSH);
		await desk.run([WITHOUT_TERMS], { orderChanged: true });
		const { counts } = await desk.run([WITHOUT_TERMS, FOR_STUDENTS]);
		expect([counts.changed, brushes(desk)]).toEqual([0, 3]);
	});

	test('is asked for again at the next edit', async () => {
		const desk = await ordered(BRUSH);
		await desk.run([WITHOUT_TERMS], { orderChanged: true });
		const { counts } = await desk.run([FOR_STUDENTS]);
		expect([counts.changed, brushes(desk)]).toEqual([1, 2]);
	});

	test('counts rows that could not be ordered yet as left for later', async () => {
		const desk = await ordered(BRUSH, 'Mug');
		const edited = [WITHOUT_TERMS, { product_name: 'Mug', audience: 'students' }];
		const { exitCode, counts } = await desk.run(edited, { orderChanged: true, max: 1 });
		expect([exitCode, counts.ready, counts.pending]).toEqual([3, 1, 1]);
		// Nobody asks for the second one any more.
		expect((await desk.run(edited)).counts).toMatchObject({ ready: 1, changed: 1 });
	});
});
