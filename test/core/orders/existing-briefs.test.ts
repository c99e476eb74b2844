import type { Brief, BriefInput, BriefSummary } from '../../../core/api/types';
import {
	compareInput,
	fetchOnce,
	findExistingBrief,
	findOwnBrief,
} from '../../../core/orders/existing-briefs';
import { MINUTE } from '../support/virtual-service';

const WANTED: BriefInput = { product_name: 'Mug', audience: 'Bakers' };

describe('the input that a brief shows', () => {
	test.each<[string, object, 'same' | 'other' | 'hidden']>([
		['other case', { product_name: 'MUG', audience: 'bakers' }, 'same'],
		['other field names and levels', { productName: 'Mug', x: { Audience: 'Bakers' } }, 'same'],
		[
			'the value under an unknown name',
			{ product_name: 'Mug', people: 'Bakers', goal: '' },
			'same',
		],
		['another audience', { product_name: 'Mug', audience: 'Cooks' }, 'other'],
		['another name', { product_name: 'Mugs', audience: 'Bakers' }, 'other'],
		['a field that was not ordered', { ...WANTED, objective: 'Sales' }, 'other'],
		['another field alone', { product_name: 'Mug', objective: 'Sales' }, 'other'],
		['nothing', {}, 'hidden'],
		['only the name', { product_name: 'Mug' }, 'hidden'],
		['empty fields beside the name', { product_name: 'Mug', audience: '', terms: null }, 'hidden'],
	])('with %s', (_title, input, expected) => {
		expect(compareInput({ input: input as Brief['input'] }, WANTED)).toBe(expected);
	});

	const withObjective = { ...WANTED, objective: 'Sales' };
	test.each<[string, object, BriefInput, 'same' | 'other' | 'hidden']>([
		['without an ordered field is other content', WANTED, withObjective, 'other'],
		['with only the name hides both fields', { product_name: 'Mug' }, withObjective, 'hidden'],
		[
			'with the value under an unknown name is the same',
			{ ...WANTED, goal: 'Sales' },
			withObjective,
			'same',
		],
		[
			'with the value under another field is other content',
			WANTED,
			{ ...WANTED, objective: 'Bakers' },
			'other',
		],
		[
			'with only a name is the same for an order with only a name',
			{ product_name: 'mug' },
			{ product_name: 'Mug' },
			'same',
		],
	])('%s', (_title, input, ordered, expected) => {
		expect(compareInput({ input: input as Brief['input'] }, ordered)).toBe(expected);
	});

	test('with the links in another order and encoded is the same', () => {
		const links = ['https://a.example/größe', 'https://b.example/2'];
		const shown = ['https://b.example/2', 'https://a.example/gr%C3%B6%C3%9Fe'];
		const input = { product_name: 'Mug', reference_urls: shown };
		expect(compareInput({ input }, { product_name: 'Mug', reference_urls: links })).toBe('same');
	});
});

/** Briefs of a workspace, newest first. */
function makeBriefs(...facts: ReadonlyArray<Partial<Brief>>): {
	briefs: BriefSummary[];
	getBrief: (id: string) => Promise<Brief | null>;
	fetched: string[];
} {
	const fetched: string[] = [];
	const briefs = facts.map((fact, index): Brief => ({
		id: `brief-${index + 1}`,
		status: 'ready',
		product_name: 'Mug',
		title: null,
		created_at: 0,
		updated_at: 0,
		finished_at: null,
		url: '',
		input: { ...WANTED },
		markdown: null,
		document: null,
		sources: [],
		warnings: [],
		error_code: null,
		revision: 1,
		...fact,
	}));
	const getBrief = async (id: string) => {
		fetched.push(id);
		return briefs.find((brief) => brief.id === id) ?? null;
	};
	return { briefs, getBrief, fetched };
}

const OTHER = { product_name: 'Mug', audience: 'Cooks' };
const HIDDEN = {};

describe('a search for a brief with the content of an order', () => {
	test('fetches only briefs with the same product name', async () => {
		const { briefs, getBrief, fetched } = makeBriefs(
			{ product_name: 'Pan' },
			{ product_name: 'MUG' },
		);
		expect(await findExistingBrief(WANTED, briefs, getBrief)).toMatchObject({
			kind: 'found',
			brief: { id: 'brief-2' },
		});
		expect(fetched).toEqual(['brief-2']);
	});

	test('prefers a brief that did not fail', async () => {
		const { briefs, getBrief } = makeBriefs({ status: 'failed' }, { status: 'writing' }, {});
		expect(await findExistingBrief(WANTED, briefs, getBrief)).toMatchObject({
			kind: 'found',
			brief: { id: 'brief-2' },
			failedIds: ['brief-1'],
		});
	});

	test('finds the first failed brief if all failed', async () => {
		const { briefs, getBrief } = makeBriefs({ status: 'failed' }, { status: 'failed' });
		expect(await findExistingBrief(WANTED, briefs, getBrief)).toMatchObject({
			kind: 'found',
			brief: { id: 'brief-1' },
			failedIds: ['brief-1', 'brief-2'],
		});
	});

	test('prefers a brief that shows the content to a brief that hides its input', async () => {
		const { briefs, getBrief } = makeBriefs({ input: HIDDEN }, {});
		expect((await findExistingBrief(WANTED, briefs, getBrief)).kind).toBe('found');
	});

	test('is undecided if a brief of the product hides its input', async () => {
		const { briefs, getBrief } = makeBriefs({ input: HIDDEN }, { input: OTHER });
		expect(await findExistingBrief(WANTED, briefs, getBrief)).toEqual({
			kind: 'undecided',
			briefIds: ['brief-1'],
		});
	});

	test('is undecided if a listed brief cannot be fetched', async () => {
		const { briefs } = makeBriefs({});
		expect(await findExistingBrief(WANTED, briefs, async () => null)).toEqual({
			kind: 'undecided',
			briefIds: ['brief-1'],
		});
	});

	test('names the briefs of the product if none has the content', async () => {
		const { briefs, getBrief } = makeBriefs({ input: OTHER }, { product_name: 'Pan' });
		expect(await findExistingBrief(WANTED, briefs, getBrief)).toEqual({
			kind: 'none',
			sameProductIds: ['brief-1'],
		});
	});
});

describe('the brief of an unconfirmed order', () => {
	const start = Date.UTC(2026, 10, 10);
	const firstSentAt = start + 10 * MINUTE;
	const at = (minutes: number) => ({
		created_at: new Date(start + minutes * MINUTE).toISOString(),
	});
	const find = (supersedes: string, ...facts: ReadonlyArray<Partial<Brief>>) => {
		const { briefs, getBrief } = makeBriefs(...facts);
		return findOwnBrief({ input: WANTED, supersedes, firstSentAt }, briefs, getBrief);
	};

	test('is the oldest with its content since the first request', async () => {
		const found = await find('', at(30), at(11), at(5));
		expect(found).toMatchObject({ kind: 'found', brief: { id: 'brief-2' } });
	});

	test('can seem half a minute older than the first request, because clocks differ', async () => {
		expect((await find('', at(9.5))).kind).toBe('found');
		expect((await find('', at(8.5))).kind).toBe('none');
	});

	test('is not the brief that the order supersedes', async () => {
		const found = await find('brief-2', at(30), at(11));
		expect(found).toMatchObject({ kind: 'found', brief: { id: 'brief-1' } });
		expect((await find('brief-1', at(11))).kind).toBe('none');
	});

	test('is a brief whose creation time cannot be read', async () => {
		expect((await find('', { created_at: 'soon' })).kind).toBe('found');
	});
});

test('a finished brief is fetched once, and a running brief each time', async () => {
	const { getBrief, fetched } = makeBriefs({ status: 'ready' }, { status: 'writing' });
	const getOnce = fetchOnce(getBrief);
	for (const id of ['brief-1', 'brief-1', 'brief-2', 'brief-2', 'none', 'none']) await getOnce(id);
	expect(fetched).toEqual(['brief-1', 'brief-2', 'brief-2', 'none', 'none']);
});

test('callers at the same time share a request, unless it fails', async () => {
	const answers = [Promise.reject(new Error('lost')), Promise.resolve(null)];
	const getBrief = jest.fn(() => answers.shift() ?? Promise.resolve(null));
	const getOnce = fetchOnce(getBrief);
	const results = await Promise.allSettled([getOnce('b1'), getOnce('b1')]);
	expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(getBrief).toHaveBeenCalledTimes(1);
	expect(await getOnce('b1')).toBeNull();
	expect(getBrief).toHaveBeenCalledTimes(2);
});
