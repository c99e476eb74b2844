import type { BriefInput } from '../../../service/api/resources';
import { decodeLine, encodeLine } from '../../../batch/folder/journal/line';
import { Desk, type Content } from '../../support/batch/desk';
import { MINUTE } from '../../support/time';
import { refusal } from '../../support/faults';

const BRUSH: BriefInput = { product_name: 'Brush', audience: 'parents', campaign_terms: '10 %' };
const WITHOUT_TERMS: BriefInput = { product_name: 'Brush', audience: 'parents' };
const FOR_STUDENTS: BriefInput = { ...BRUSH, audience: 'students' };

async function ordered(...given: Content[]): Promise<Desk> {
	const desk = new Desk();
	await desk.run(given);
	return desk;
}

/** The Brush was ordered, and the run was interrupted at this event. */
async function interrupted(at: 'brief_ordered' | 'brief_accepted', desk = new Desk()) {
	desk.interruptAt(at);
	await desk.run([BRUSH]);
	return desk;
}

/** Takes the events of this kind out of the journal. */
function forget(desk: Desk, kind: string): void {
	const path = 'out/journal.jsonl';
	const lines = desk.disk.text(path).trimEnd().split('\n');
	const events = lines.map((line, index) => decodeLine(index + 1, line)!);
	const kept = events.filter(({ type }) => type !== kind);
	const text = kept.map((event, index) => encodeLine(index + 1, event));
	desk.disk.put(path, Buffer.from(text.join('')));
}

const brushes = (desk: Desk) => desk.paid().filter((name) => name === 'Brush').length;

describe('a row whose content is not what was ordered', () => {
	test.each([
		['was accepted, and is seen to its end', ''],
		['has no answer, and is looked for', 'accepted'],
	])('stays changed if its earlier order %s', async (_name, forgotten) => {
		const desk = await interrupted('brief_accepted');
		forget(desk, forgotten);
		const { counts } = await desk.run([WITHOUT_TERMS]);
		expect([desk.stages(), counts.changed, brushes(desk)]).toEqual([['done'], 1, 1]);
		expect(desk.statuses()).toEqual({ Brush: 'changed' });
	});

	test('says so if nobody knows whether its earlier order has a brief', async () => {
		const desk = await interrupted('brief_ordered');
		desk.interruptAt('run_started', 1, MINUTE);
		const { exitCode } = await desk.run([WITHOUT_TERMS]);
		expect([exitCode, brushes(desk)]).toEqual([130, 0]);
		expect(desk.results()[0]?.brief_error).toContain('may or may not have a brief yet');
	});

	test('is ordered once its earlier order certainly has no brief', async () => {
		const desk = await interrupted('brief_ordered');
		const { exitCode, records } = await desk.run([WITHOUT_TERMS]);
		expect([exitCode, brushes(desk)]).toEqual([0, 1]);
		expect(records.all()[0]?.stage).toBe('to_order');
	});

	test('is held back also if its own order was withdrawn before', async () => {
		const desk = await ordered(BRUSH);
		const refused = refusal(429, 'allowance_reached', 'Nothing is left of this month');
		desk.service.fail('create_brief', { answer: refused });
		await desk.run([BRUSH, FOR_STUDENTS]);
		expect(desk.stages()).toEqual(['done', 'to_order']);
		await desk.run([FOR_STUDENTS]);
		expect([brushes(desk), desk.statuses()]).toEqual([1, { Brush: 'changed' }]);
	});

	test('is not one beside the row that was ordered', async () => {
		const desk = await ordered(BRUSH);
		const { counts } = await desk.run([BRUSH, FOR_STUDENTS]);
		expect([counts.changed, brushes(desk)]).toEqual([0, 2]);
	});
});

describe('--order-changed', () => {
	test('leaves rows changed for which this run has no room', async () => {
		const desk = await ordered(BRUSH, 'Mug');
		const edited = [WITHOUT_TERMS, { product_name: 'Mug', audience: 'students' }];
		const { tally } = await desk.run(edited, { orderChanged: true, max: 1 });
		expect(tally).toBe('3: 1 ready, 1 changed');
		// Nobody asks for the second one any more.
		expect((await desk.run(edited)).tally).toBe('1: 1 ready, 1 changed');
	});
});
