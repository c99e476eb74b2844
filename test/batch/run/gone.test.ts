import type { BriefInput } from '../../../service/api/resources';
import { CUT } from '../../support/faults';
import { Desk } from '../../support/batch/desk';
import { DAY, HOUR, MINUTE } from '../../support/time';

const OURS: BriefInput = { product_name: 'Serum', audience: 'Runners', campaign_terms: '10 %' };
const THEIRS: BriefInput = { product_name: 'Serum', audience: 'Cooks', campaign_terms: '10 %' };

/** A desk at which the answer to an order was lost with its run. Its row is then taken out. */
async function lost(fault = CUT, row = OURS): Promise<Desk> {
	const desk = new Desk({ keyMemoryMs: HOUR });
	desk.meet('create_brief', fault);
	desk.interruptAt('sent', 1, 1000);
	await desk.run([row]);
	desk.service.mend();
	await desk.clock.pass(2 * HOUR);
	return desk;
}

const stateOf = (desk: Desk) => {
	const [record] = desk.records().all();
	return [record?.state.stage, record?.state.briefId];
};

describe('an order without an answer whose row was taken out', () => {
	test('gets the brief that shows what it ordered, and not that of a colleague', async () => {
		const desk = await lost();
		desk.service.startOther(MINUTE, THEIRS.product_name, THEIRS.campaign_terms);
		await desk.clock.pass(HOUR);
		await desk.run(['Other']);
		expect(stateOf(desk)).toEqual(['done', desk.service.briefs[0]?.id]);
	});

	test('is parked with the IDs that can be its own if each shows something else', async () => {
		const desk = await lost({ answerLost: 'before' });
		desk.service.shownInput = () => ({ product_name: 'Serum', audience: 'Cooks' });
		const { id } = desk.service.startOther(MINUTE, 'Serum');
		await desk.clock.pass(HOUR);
		const { exitCode } = await desk.run(['Other']);
		expect([exitCode, ...stateOf(desk)]).toEqual([1, 'parked', null]);
		expect(desk.records().all()[0]?.cause).toMatchObject({ reason: 'unclear', ids: [id] });
	});

	test('is parked so with its row, whose retry orders no other row', async () => {
		const desk = await lost({ answerLost: 'before' });
		desk.service.shownInput = () => ({ product_name: 'Serum', audience: 'Cooks' });
		desk.service.startOther(MINUTE, 'Serum');
		await desk.clock.pass(HOUR);
		expect((await desk.run([OURS])).tally).toBe('1: 1 parked');
		expect(desk.results()[0]?.brief_error).toMatch(/brief-batch retry \S+ .*--only 2\b/);
	});

	test('is withdrawn if the list shows for certain that nothing came of it', async () => {
		const desk = await lost({ answerLost: 'before' });
		expect((await desk.run(['Other'])).exitCode).toBe(0);
		expect(stateOf(desk)).toEqual(['to_order', null]);
	});

	test('lets its edited row take the brief that a colleague ordered of the new content days later', async () => {
		const desk = await lost({ answerLost: 'before' });
		await desk.clock.pass(3 * DAY);
		desk.service.startOther(MINUTE, 'Serum', '20 %');
		await desk.clock.pass(HOUR);
		const { tally } = await desk.run([{ product_name: 'Serum', campaign_terms: '20 %' }]);
		expect([tally, desk.paid()]).toEqual(['0: 1 ready', ['Serum']]);
	});

	test('is compared by what it ordered, however long the texts were', async () => {
		const desk = await lost(CUT, { ...OURS, approved_facts: 'Vegan. '.repeat(40) });
		await desk.run(['Other']);
		expect(stateOf(desk)).toEqual(['done', desk.service.briefs[0]?.id]);
	});
});

test.each([
	['shows nothing', 'empty'],
	['shows the same', 'as-submitted'],
] as const)(
	'a lost order that was asked for beside a brief that %s does not get that brief',
	async (_, inputShape) => {
		const desk = new Desk({ inputShape });
		const { id } = desk.service.startOther(MINUTE, 'Serum');
		await desk.clock.pass(3 * HOUR);
		desk.meet('create_brief', { answerLost: 'before' });
		desk.interruptAt('sent', 1, 1000);
		await desk.run(['Serum'], { orderAgain: true });
		desk.service.mend();
		await desk.clock.pass(2 * HOUR);
		await desk.run([OURS]);
		expect(desk.records().ownerOf(id)).toBeUndefined();
	},
);

test('a row that was edited is parked beside a brief in results/ that no journal knows', async () => {
	const desk = new Desk();
	await desk.run([OURS]);
	await desk.disk.remove('out/journal.jsonl');
	const { tally } = await desk.run([{ ...OURS, audience: 'Swimmers' }]);
	expect([tally, desk.paid()]).toEqual(['1: 1 parked', ['Serum']]);
});
