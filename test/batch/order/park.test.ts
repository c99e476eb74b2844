import { causeOf } from '../../../batch/order/park';
import { tryIn } from '../../../batch/plan/try';
import { NEW_ORDER, type ParkReason } from '../../../service/order/life';
import { anError } from '../../support/builders';
import { recordsOf, said } from '../../support/batch/journal-events';

test.each<Exclude<ParkReason, 'brief'>>([
	'listed',
	'unclear',
	'refused_in_doubt',
	'other_brief',
	'unanswered',
])('a row that is parked as %s names the briefs that may be its own', (reason) => {
	const records = recordsOf(said.intent());
	const [record] = records.all();
	const why = (...ids: string[]) => {
		const finding = { is: 'unclear', ids, isCertain: true } as const;
		const order = { ...NEW_ORDER, answer: anError('invalid_input'), finding };
		return causeOf(reason, order, tryIn(record!), { records, outDir: 'out', now: 0 }).why;
	};
	expect(why('b1')).toMatch(/b1.*--adopt \d+=b1/);
	expect(why('b1', 'b2')).toMatch(/b1(,| or) b2.*--adopt .\d+=<brief id>/);
});
