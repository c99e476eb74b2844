import type { BriefInput } from '../../../service/api/resources';
import { decodeLine, encodeLine } from '../../../batch/folder/journal/line';
import { Desk, type Content } from '../../support/batch/desk';
import { HOUR, MINUTE } from '../../support/time';
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
async function interrupted(at: 'sent' | 'accepted', desk = new Desk()) {
	desk.interruptAt(at);
	await desk.run([BRUSH]);
	return desk;
}

/** Takes the events of this kind out of the journal. */
function forget(desk: Desk, kind: string): void {
	const path = 'out/journal.jsonl';
	const lines = desk.disk.text(path).trimEnd().split('\n');
	const events = lines.map((line, index) => decodeLine(index + 1, line)!);
	const kept = events.filter(({ event }) => event !== kind);
	const text = kept.map((event, index) => encodeLine(index + 1, event));
	desk.disk.put(path, Buffer.from(text.join('')));
}

const brushes = (desk: Desk) => desk.paid().filter((name) => name === 'Brush').length;

describe('a row whose content is not what was ordered', () => {
	test.each([
		['was accepted, and is seen to its end', ''],
		['has no answer, and is looked for', 'accepted'],
	])('stays changed if its earlier order %s', async (_name, forgotten) => {
		const desk = await interrupted('accepted');
		forget(desk, forgotten);
		const { counts } = await desk.run([WITHOUT_TERMS]);
		expect([desk.stages(), counts.changed, brushes(desk)]).toEqual([['done'], 1, 1]);
		expect(desk.statuses()).toEqual({ Brush: 'changed' });
	});

	test('says so if nobody knows whether its earlier order has a brief', async () => {
		const desk = await interrupted('sent');
		desk.interruptAt('run_started', 1, MINUTE);
		const { exitCode } = await desk.run([WITHOUT_TERMS]);
		expect([exitCode, brushes(desk)]).toEqual([130, 0]);
		expect(desk.results()[0]?.brief_error).toContain('may or may not have a brief yet');
	});

	test('is ordered once its earlier order certainly has no brief', async () => {
		const desk = await interrupted('sent');
		const { exitCode, records } = await desk.run([WITHOUT_TERMS]);
		expect([exitCode, brushes(desk)]).toEqual([0, 1]);
		expect(records.all()[0]?.state.stage).toBe('to_order');
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
});

/** Nothing that is sent from now on arrives, as if the process died before. */
async function asksInVain(desk: Desk, rows: Content[], options: Parameters<Desk['run']>[1]) {
	desk.meet('create_brief', { answerLost: 'never-sent' });
	await desk.run(rows, options);
	expect(desk.stages().at(-1)).toBe('to_order');
	desk.service.mend();
}

describe('a try that never arrived replaces and hides nothing (P10)', () => {
	test('of --order-changed: the row, edited once more, is changed as its earlier order says', async () => {
		const desk = await ordered(BRUSH);
		await asksInVain(desk, [FOR_STUDENTS], { orderChanged: true });
		for (const row of [FOR_STUDENTS, WITHOUT_TERMS])
			expect((await desk.run([row])).tally).toBe('1: 1 changed');
		expect(desk.results()[0]?.brief_id).toBe(desk.service.briefs[0]?.id);
		expect((await desk.run([BRUSH])).tally).toBe('0: 1 ready');
		expect(brushes(desk)).toBe(1);
	});

	test('of --order-again: the row is ordered as it was asked for, and changed once it is edited', async () => {
		const desk = new Desk();
		desk.service.startOther(MINUTE, 'Mug');
		await desk.clock.pass(HOUR);
		await desk.run(['Mug']);
		await asksInVain(desk, ['Mug'], { orderAgain: true });
		const edited = { product_name: 'Mug', audience: 'students' };
		expect((await desk.run([edited])).tally).toBe('1: 1 changed');
		expect((await desk.run(['Mug'])).tally).toBe('0: 1 ready');
		expect(desk.service.briefs).toHaveLength(2);
	});

	test('of a retry: the edited row has failed as before, and only a retry pays', async () => {
		const desk = new Desk({ failed: (index) => index === 0 });
		await desk.run([BRUSH]);
		await asksInVain(desk, [BRUSH], { retryUpTo: 3 });
		expect((await desk.run([FOR_STUDENTS])).tally).toBe('1: 1 failed');
		expect(brushes(desk)).toBe(1);
		expect((await desk.run([FOR_STUDENTS], { retryUpTo: 3 })).tally).toBe('0: 1 ready');
	});
});

test('a failed row that was edited is news once, and known after that', async () => {
	const desk = new Desk({ failed: () => true });
	await desk.run([BRUSH]);
	const again = async (row: Content) => (await desk.run([row], { knownOk: true })).exitCode;
	expect([await again(BRUSH), await again(FOR_STUDENTS)]).toEqual([0, 1]);
	expect([await again(FOR_STUDENTS), await again(BRUSH)]).toEqual([0, 0]);
	expect(brushes(desk)).toBe(1);
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

describe('a changed row that keeps the brief that it has, as --adopt asks', () => {
	const adoptChanged = [[2, 2]] as const;

	test.each([
		['it is kept for the other one', [WITHOUT_TERMS], { adoptChanged }],
		['the other one is put back', [BRUSH], {}],
	])(
		'lets no other row that was made of it be paid for in the same run if %s',
		async (_, others, asked) => {
			const desk = await ordered(BRUSH);
			if (others.includes(BRUSH)) await desk.run([WITHOUT_TERMS], { adoptChanged });
			const rows = [...others, { ...BRUSH, audience: 'Bakers' }];
			// The next plan shows its price.
			expect([(await desk.run(rows, asked)).tally, brushes(desk)]).toEqual([
				'3: 1 ready, 1 pending',
				1,
			]);
		},
	);

	test('is one row: of two that were made of it none is ordered, and it is said', async () => {
		const desk = new Desk();
		await desk.run([BRUSH]);
		const both = [WITHOUT_TERMS, { ...BRUSH, audience: 'Bakers' }];
		const run = desk.run(both, { adoptChanged: true });
		await expect(run).rejects.toThrow('rows 2 and 3 would keep the same brief');
		expect(desk.paid()).toHaveLength(1);
	});

	test('is ready with the same files, costs nothing, and stays so', async () => {
		const desk = await ordered(BRUSH);
		const files = desk.disk.files().filter((path) => path.startsWith('out/results/'));
		expect((await desk.run([WITHOUT_TERMS])).tally).toBe('1: 1 changed');
		const kept = await desk.run([WITHOUT_TERMS], { adoptChanged });
		expect([kept.tally, kept.paid, kept.taken_over, kept.fetched]).toEqual(['0: 1 ready', 0, 0, 0]);
		expect((await desk.run([WITHOUT_TERMS])).tally).toBe('0: 1 ready');
		expect(brushes(desk)).toBe(1);
		expect(desk.disk.files().filter((path) => path.startsWith('out/results/'))).toEqual(files);
		expect(
			desk
				.records()
				.all()
				.filter(({ is_paid }) => is_paid),
		).toHaveLength(1);
	});

	test('keeps one that is still being written, which is fetched once', async () => {
		const desk = await interrupted('accepted');
		const { tally, fetched } = await desk.run([WITHOUT_TERMS], { adoptChanged });
		expect([tally, fetched, brushes(desk)]).toEqual(['0: 1 ready', 1, 1]);
	});

	test('is told of if it is not changed, or has no brief', async () => {
		const desk = await ordered(BRUSH);
		const { tally, notices } = await desk.run([BRUSH], { adoptChanged });
		expect([tally, notices.join()]).toEqual([
			'0: 1 ready',
			expect.stringContaining('--adopt 2 changes nothing'),
		]);
	});
});
