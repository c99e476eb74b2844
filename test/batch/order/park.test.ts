import { parkCause } from '../../../batch/order/park-cause';
import { joinWords, wordsFor } from '../../../batch/results/words';
import { NEW_ORDER, type ParkReason } from '../../../service/order/life';
import { anError } from '../../support/builders';
import { AT, intent, recordsOf } from '../../support/batch/journal-events';

test.each<ParkReason>(['listed', 'unclear', 'other_brief'])(
	'a row that is parked as %s names the briefs that may be its own',
	(reason) => {
		const records = recordsOf(...intent());
		const why = (...ids: string[]) => {
			const finding = { is: 'unclear', ids, isCertain: true } as const;
			const order = { ...NEW_ORDER, answer: anError('invalid_input'), finding };
			const cause = parkCause(
				reason,
				order,
				{ input: { product_name: 'Mug' }, firstTried: AT },
				records,
			);
			// The row has moved since it was ordered, and the command names it as it is now.
			const row = { row: 3, product_name: 'Mug', brief_id: null };
			const place = { outDir: 'out', lastCommand: { lastCsv: 'spring.csv', lastOptions: [] } };
			return joinWords(wordsFor(cause, row, place));
		};
		expect(why('b1')).toMatch(/b1.*brief-batch run spring.csv --out out --adopt 3=b1/);
		expect(why('b1', 'b2')).toMatch(/b1(,| or) b2.*--adopt .3=<brief id>/);
	},
);
