import { EVERY_ANSWER } from './refusals';
import { CALM, type Adversary } from './state';

/**
 * What is searched. The states of several rows multiply, so that each search with more than one row allows only what
 * lets one row touch another: the slots, the allowance, or briefs that may be of either. What a row meets alone (every
 * refusal, every age of key and list) is searched with one row.
 */
export const SEARCHES: Readonly<Record<string, Adversary>> = {
	'one row': {
		...CALM,
		areRequestsLate: true,
		areRowsTakenOut: true,
		refusals: EVERY_ANSWER,
		spans: ['half a minute', 'a minute', 'ten minutes', 'an hour'],
	},
	'one row and one brief left': {
		...CALM,
		allowance: 1,
		doOthersUse: true,
		areRowsTakenOut: true,
		refusals: ['no slot', 'used up', 'not sent'],
		spans: ['ten minutes', 'an hour'],
	},
	'one row and rate limits': {
		...CALM,
		areLimitsDeclared: true,
		doMonthsTurn: true,
		refusals: ['too many requests'],
		spans: ['ten minutes', 'an hour'],
	},
	'one row beside a stranger’s brief': {
		...CALM,
		isSameProduct: true,
		areRequestsLate: true,
		areRowsTakenOut: true,
		spans: ['a minute', 'ten minutes', 'an hour'],
	},
	'one row whose clocks disagree': {
		...CALM,
		doClocksDisagree: true,
		isSameProduct: true,
		areRowsTakenOut: true,
		spans: ['ten minutes', 'an hour'],
	},
	'one row and briefs that never end': {
		...CALM,
		others: 2,
		areOthersEndless: true,
		spans: ['half a minute', 'ten minutes'],
	},
	'one row and a third brief refused as not valid': {
		...CALM,
		others: 2,
		thirdRefusal: 'invalid',
		refusals: ['invalid'],
	},
	'one row and a third brief refused as a conflict': {
		...CALM,
		others: 2,
		thirdRefusal: 'key in use',
		areOthersEndless: true,
	},
	'one row and a server at fault that refuses a third brief': {
		...CALM,
		others: 2,
		thirdRefusal: 'no slot, by a server at fault',
		refusals: ['no slot, by a server at fault'],
		areOthersEndless: true,
		spans: ['ten minutes', 'an hour'],
	},
	'one row and a journal that is lost': {
		...CALM,
		areJournalsLost: true,
		isSameProduct: true,
		spans: ['ten minutes', 'an hour'],
	},
	'two rows of one product and a journal that is lost': {
		...CALM,
		rows: 2,
		areJournalsLost: true,
		isSameProduct: true,
		troubles: 2,
		spans: ['an hour'],
	},
	'one row and another program that orders the same without a record': {
		...CALM,
		rows: 2,
		isSecondGuest: true,
		isSameProduct: true,
		isSameContent: true,
		areRequestsLate: true,
		troubles: 1,
		spans: ['an hour'],
	},
	'two rows and others': { ...CALM, rows: 2, others: 1, troubles: 2 },
	'two rows and one brief left': { ...CALM, rows: 2, allowance: 1, troubles: 2 },
	'two rows of one product': {
		...CALM,
		rows: 2,
		isSameProduct: true,
		troubles: 2,
		spans: ['an hour'],
	},
	'two rows of one content': {
		...CALM,
		rows: 2,
		isSameProduct: true,
		isSameContent: true,
		troubles: 1,
		spans: ['an hour'],
	},
	'three rows': { ...CALM, rows: 3, isThirdQueued: true, troubles: 2 },
};
