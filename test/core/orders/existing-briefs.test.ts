import type { Brief, BriefInput, BriefSummary } from '../../../core/api/types';
import {
	compareInput,
	fetchOnce,
	findExistingBrief,
	findOwnBrief,
	type BriefSearch,
	type GetBrief,
} from '../../../core/orders/existing-briefs';
import { MINUTE } from '../../support/time';

const WANTED: BriefInput = { product_name: 'Mug', audience: 'Bakers' };
const WITH_OBJECTIVE: BriefInput = { ...WANTED, objective: 'Sales' };
const NAME_ALONE: BriefInput = { product_name: 'Mug' };
const LINKS = ['https://a.example/größe', 'https://b.example/2'];
const ENCODED_LINKS = ['https://b.example/2', 'https://a.example/gr%C3%B6%C3%9Fe'];

test.each<[string, object, BriefInput, 'same' | 'other' | 'hidden']>([
	['in other case', { product_name: 'MUG', audience: 'bakers' }, WANTED, 'same'],
	[
		'with other field names and levels',
		{ productName: 'Mug', x: { Audience: 'Bakers' } },
		WANTED,
		'same',
	],
	[
		'with a value under an unknown name',
		{ ...NAME_ALONE, people: 'Bakers', goal: '' },
		WANTED,
		'same',
	],
	[
		'with another value under an unknown name',
		{ ...WANTED, goal: 'Sales' },
		WITH_OBJECTIVE,
		'same',
	],
	['without the name, which the brief has anyway', { audience: 'Bakers' }, WANTED, 'same'],
	['with only a name, as ordered', { product_name: 'mug' }, NAME_ALONE, 'same'],
	[
		'with the links encoded and in another sequence',
		{ ...NAME_ALONE, reference_urls: ENCODED_LINKS },
		{ ...NAME_ALONE, reference_urls: LINKS },
		'same',
	],
	['with another audience', { ...NAME_ALONE, audience: 'Cooks' }, WANTED, 'other'],
	['with another name', { ...WANTED, product_name: 'Mugs' }, WANTED, 'other'],
	['with a field that was not ordered', WITH_OBJECTIVE, WANTED, 'other'],
	['with another field alone', { ...NAME_ALONE, objective: 'Sales' }, WANTED, 'other'],
	['without an ordered field', WANTED, WITH_OBJECTIVE, 'other'],
	['with a value under another field', WANTED, { ...WANTED, objective: 'Bakers' }, 'other'],
	['without any field', {}, WANTED, 'hidden'],
	['with only the name', NAME_ALONE, WANTED, 'hidden'],
	[
		'with the name and empty fields',
		{ ...NAME_ALONE, audience: '', terms: null },
		WANTED,
		'hidden',
	],
])('a brief that shows its input %s', (_title, input, ordered, expected) => {
	expect(compareInput({ input: input as Brief['input'] }, ordered)).toBe(expected);
});

interface Workspace {
	readonly briefs: BriefSummary[];
	readonly getBrief: GetBrief;
	/** The IDs that were fetched. */
	readonly fetched: string[];
}

/** Makes briefs with the IDs 1, 2 and so on, newest first. */
function makeBriefs(...facts: ReadonlyArray<Partial<Brief>>): Workspace {
	const fetched: string[] = [];
	const texts = { title: null, url: '', created_at: 0, updated_at: 0, finished_at: null };
	const parts = { markdown: null, document: null, sources: [], warnings: [], error_code: null };
	const briefs = facts.map((fact, index): Brief => ({
		...texts,
		...parts,
		id: String(index + 1),
		status: 'ready',
		product_name: 'Mug',
		input: { ...WANTED },
		revision: 1,
		...fact,
	}));
	const getBrief = async (id: string) => {
		fetched.push(id);
		return briefs.find((brief) => brief.id === id) ?? null;
	};
	return { briefs, getBrief, fetched };
}

/** Returns what was found, with the ID of the brief. */
function summarize(search: BriefSearch): object {
	return search.kind === 'found' ? { ...search, brief: search.brief.id } : search;
}

const FAILED = { status: 'failed' };
const HIDDEN = { input: {} };
const OTHER = { input: { ...WANTED, audience: 'Cooks' } };
const PAN = { product_name: 'Pan' };

test.each<[string, Array<Partial<Brief>>, object]>([
	['a brief of the same product', [PAN, { product_name: 'MUG' }], { brief: '2', failedIds: [] }],
	[
		'a brief that did not fail',
		[FAILED, { status: 'writing' }, {}],
		{ brief: '2', failedIds: ['1'] },
	],
	['the first failed brief if all failed', [FAILED, FAILED], { brief: '1', failedIds: ['1', '2'] }],
	['a brief that shows its input', [HIDDEN, {}], { brief: '2', failedIds: [] }],
	[
		'no certain brief if one hides its input',
		[HIDDEN, OTHER],
		{ kind: 'undecided', briefIds: ['1'] },
	],
	['no brief with other content', [OTHER, PAN], { kind: 'none', sameProductIds: ['1'] }],
])('a search finds %s', async (_title, facts, expected) => {
	const { briefs, getBrief, fetched } = makeBriefs(...facts);
	const search = await findExistingBrief(WANTED, briefs, getBrief);
	expect(summarize(search)).toEqual({ kind: 'found', ...expected });
	expect(fetched).not.toContain(briefs.find(({ product_name }) => product_name === 'Pan')?.id);
});

test('a search is undecided if a listed brief cannot be fetched', async () => {
	const search = await findExistingBrief(WANTED, makeBriefs({}).briefs, async () => null);
	expect(search).toEqual({ kind: 'undecided', briefIds: ['1'] });
});

describe('the brief of an order that was first sent in minute 10', () => {
	const at = (minute: number) => ({ created_at: new Date(minute * MINUTE).toISOString() });

	test.each<[string, Array<Partial<Brief>>, string, string | undefined]>([
		['is the oldest since the first request', [at(30), at(11), at(5)], '', '2'],
		['can seem half a minute older, because clocks differ', [at(9.5)], '', '1'],
		['is not older than that', [at(8.5)], '', undefined],
		['is not the brief that the order supersedes', [at(30), at(11)], '2', '1'],
		['can be none but the brief that the order supersedes', [at(11)], '1', undefined],
		['can have a creation time that cannot be read', [{ created_at: 'soon' }], '', '1'],
	])('%s', async (_title, facts, supersedes, expected) => {
		const { briefs, getBrief } = makeBriefs(...facts);
		const order = { input: WANTED, supersedes, firstSentAt: 10 * MINUTE };
		const search = await findOwnBrief(order, briefs, getBrief);
		expect(search).toMatchObject(expected ? { brief: { id: expected } } : { kind: 'none' });
	});
});

test('a finished brief is fetched once, and a running brief each time', async () => {
	const { getBrief, fetched } = makeBriefs({}, { status: 'writing' });
	const getOnce = fetchOnce(getBrief);
	for (const id of ['1', '1', '2', '2', 'none', 'none']) await getOnce(id);
	expect(fetched).toEqual(['1', '2', '2', 'none', 'none']);
});

test('callers at the same time share a request, unless it fails', async () => {
	const answers = [Promise.reject(new Error('lost')), Promise.resolve(null)];
	const getBrief = jest.fn(() => answers.shift() ?? Promise.resolve(null));
	const getOnce = fetchOnce(getBrief);
	const results = await Promise.allSettled([getOnce('1'), getOnce('1')]);
	expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(getBrief).toHaveBeenCalledTimes(1);
	expect(await getOnce('1')).toBeNull();
	expect(getBrief).toHaveBeenCalledTimes(2);
});
