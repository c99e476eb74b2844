import type { BriefInput } from '../../../core/api/types';
import { readShownInput } from '../../../core/input/shown-input';
import {
	compareInput,
	findUndecidedBriefs,
	type Comparison,
} from '../../../core/orders/find-brief';
import { InputDisplay } from '../../../core/workspace/input-display';
import { COOKS } from '../support/decisions';
import { BAKERS, makeBrief, makeFacts, makeOrder } from '../support/facts';

/** The input that a brief shows, compared with the input of an order. */

const NAME_ALONE: BriefInput = { product_name: 'Mug' };
const WITH_OBJECTIVE: BriefInput = { ...BAKERS, objective: 'Sales' };
const LINKS = ['https://a.example/größe', 'https://b.example/2'];
const ENCODED_LINKS = ['https://b.example/2', 'https://a.example/gr%C3%B6%C3%9Fe'];

function compare(shown: object, ordered: BriefInput, display = new InputDisplay()): Comparison {
	return compareInput(readShownInput(shown), ordered, display);
}

describe('a brief that shows its input', () => {
	test.each<[string, object, BriefInput, Comparison]>([
		// Another value under the field's own name, or a known field that was not ordered.
		['with another audience', COOKS, BAKERS, 'other'],
		['with another name', { ...BAKERS, product_name: 'Mugs' }, BAKERS, 'other'],
		['with a field that was not ordered', WITH_OBJECTIVE, BAKERS, 'other'],
		['with another field alone', { ...NAME_ALONE, objective: 'Sales' }, BAKERS, 'other'],
		['with a value under another field', BAKERS, { ...BAKERS, objective: 'Bakers' }, 'other'],
		['with another audience on a deeper level', { campaign: { briefing: COOKS } }, BAKERS, 'other'],
		// Every value under its own name.
		['as ordered', WITH_OBJECTIVE, WITH_OBJECTIVE, 'same'],
		['in other case', { product_name: 'MUG', audience: 'bakers' }, BAKERS, 'same'],
		['with other names', { productName: 'Mug', x: { Audience: 'Bakers' } }, BAKERS, 'same'],
		['with a field in two spellings', { ...BAKERS, x: COOKS }, BAKERS, 'same'],
		['with more under an unknown name', { ...BAKERS, locale: 'en' }, BAKERS, 'same'],
		['with its key', { ...NAME_ALONE, idempotency_key: 'a' }, NAME_ALONE, 'same'],
		['with only a name, as ordered', { product_name: 'mug' }, NAME_ALONE, 'same'],
		['without the name, which the brief has anyway', { audience: 'Bakers' }, BAKERS, 'same'],
		[
			'with the links encoded and in another sequence',
			{ ...NAME_ALONE, reference_urls: ENCODED_LINKS },
			{ ...NAME_ALONE, reference_urls: LINKS },
			'same',
		],
		// A value under an unknown name counts as shown.
		[
			'with an ordered value under an unknown name',
			{ ...BAKERS, x: 'Sales' },
			WITH_OBJECTIVE,
			'same',
		],
		['with all values under unknown names', { title: 'Mug', people: 'Bakers' }, BAKERS, 'same'],
		// A value that is missing.
		['without an ordered field', BAKERS, WITH_OBJECTIVE, 'other'],
		['with an unknown text for an ordered field', { ...BAKERS, x: 'y' }, WITH_OBJECTIVE, 'hidden'],
		['with only the name', NAME_ALONE, BAKERS, 'hidden'],
		['with the name and empty fields', { ...NAME_ALONE, audience: '', x: null }, BAKERS, 'hidden'],
		['with the name and an unknown text', { ...NAME_ALONE, people: 'All' }, BAKERS, 'hidden'],
		['with nothing', {}, BAKERS, 'hidden'],
		['with nothing, for a row with only a name', {}, NAME_ALONE, 'hidden'],
		// An unknown text could be a field that a row with only a name lacks.
		[
			'with an unknown text, for a row with only a name',
			{ ...NAME_ALONE, people: 'Bakers' },
			{ ...NAME_ALONE, audience: ' ' },
			'hidden',
		],
	])('%s', (_title, shown, ordered, expected) => {
		expect(compare(shown, ordered)).toBe(expected);
	});
});

describe('if a brief of the workspace shows a field other than its name', () => {
	const display = new InputDisplay();
	display.addBrief(makeBrief({ id: 'A', shows: { objective: 'Sales' } }));

	test.each<[string, object, BriefInput, Comparison]>([
		['its name alone was ordered with the name alone', NAME_ALONE, BAKERS, 'other'],
		['its name alone has the content of a row with only a name', NAME_ALONE, NAME_ALONE, 'same'],
		['an unknown text might be the missing field', { ...NAME_ALONE, x: 'y' }, BAKERS, 'hidden'],
		['nothing hides its input', {}, BAKERS, 'hidden'],
	])('a brief that shows %s', (_title, shown, ordered, expected) => {
		expect(compare(shown, ordered, display)).toBe(expected);
	});

	test('the name alone is no field other than the name', () => {
		const names = new InputDisplay();
		names.addBrief(makeBrief({ id: 'A', shows: NAME_ALONE }));
		expect(compare(NAME_ALONE, BAKERS, names)).toBe('hidden');
	});
});

describe('if an own brief shows another value of a field than was sent', () => {
	/** Learns how the service shows a brief that was ordered with this input. */
	function learn(sent: BriefInput, shows: object): InputDisplay {
		const display = new InputDisplay();
		display.addOwnBrief(makeBrief({ id: 'A', shows }), sent);
		return display;
	}
	const rewritten = learn(BAKERS, { ...NAME_ALONE, audience: 'People who bake' });

	test.each<[string, object, BriefInput, Comparison]>([
		['that differs in this field only', COOKS, BAKERS, 'hidden'],
		['that lacks this field', { ...NAME_ALONE, objective: 'Sales' }, WITH_OBJECTIVE, 'hidden'],
		['that has this field, which was not ordered', COOKS, NAME_ALONE, 'hidden'],
		['that differs in another field, too', { ...COOKS, objective: 'x' }, WITH_OBJECTIVE, 'other'],
		['that has the same value', BAKERS, BAKERS, 'same'],
	])('a brief %s is compared by the others', (_title, shown, ordered, expected) => {
		expect(compare(shown, ordered, rewritten)).toBe(expected);
	});

	test.each<[string, BriefInput, object, boolean]>([
		['a value in other case', BAKERS, { ...NAME_ALONE, audience: 'BAKERS' }, false],
		['a value that is not shown', BAKERS, NAME_ALONE, false],
		['a field that was not sent', NAME_ALONE, COOKS, true],
		['a text as a list of others', BAKERS, { ...NAME_ALONE, audience: ['Bak', 'ers'] }, true],
	])('%s counts as rewritten: %#', (_title, sent, shown, expected) => {
		expect(learn(sent, shown).isRewritten('audience')).toBe(expected);
	});

	test('all briefs of a product are compared field by field', () => {
		const facts = makeFacts({ listed: [{ id: 'A', shows: COOKS }], display: rewritten });
		expect(findUndecidedBriefs(makeOrder(), facts)).toMatchObject([{ id: 'A' }]);
	});
});
