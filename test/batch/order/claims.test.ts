import { refusal, CUT } from '../../support/faults';
import { Desk } from '../../support/batch/desk';
import { MINUTE } from '../../support/time';

test('a brief that a row has is taken for no other, although the service forgot the key and gives it again', async () => {
	const desk = new Desk();
	await desk.run(['Serum']);
	const [first] = desk.service.briefs;
	const again = { ...first!.input, id: first!.id, status: 'ready', input: {} };
	const answer = { status: 202, headers: {}, body: JSON.stringify(again) };
	desk.meet('create_brief', { answer });
	const twin = { product_name: 'Serum', audience: 'Cooks' };
	const { records } = await desk.run(['Serum', twin]);
	expect(records.all().map(({ state, brief_id }) => [state, brief_id])).toEqual([
		['done', first!.id],
		['parked', null],
	]);
});

test('an order that an earlier run parked in doubt holds its slot until the list must show its brief', async () => {
	const desk = new Desk({ listLag: 9 * MINUTE, third: 'queue', duration: () => 30 * MINUTE });
	desk.service.fail('create_brief', CUT, { answer: refusal(400, 'invalid', 'No') });
	expect((await desk.run(['A'])).tally).toBe('1: 1 parked');
	await desk.run(['A', 'B', 'C']);
	expect(desk.service.mostRunning).toBe(2);
});
