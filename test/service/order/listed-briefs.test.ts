import { LOOKED_BACK_MS } from '../../../service/assumptions';
import type { Brief, BriefInput, BriefSummary } from '../../../service/api/resources';
import { ListedBriefs, type WantedContent } from '../../../service/order/listed-briefs';
import { aBrief } from '../../support/builders';
import { MINUTE } from '../../support/time';

const NOW = Date.UTC(2026, 10, 20, 9);
const INPUT: BriefInput = { product_name: 'Glow Serum', audience: 'Runners' };
const OTHER = { ...INPUT, audience: 'Cooks' };

/** A brief that was created so many minutes ago. */
function listed(id: string, input: object, minutesAgo: number, facts: Partial<Brief> = {}): Brief {
	const created_at = new Date(NOW - minutesAgo * MINUTE).toISOString();
	return aBrief({ id, product_name: 'Glow Serum', input: { ...input }, created_at, ...facts });
}

async function find(briefs: Brief[], wanted: Partial<WantedContent> = {}, got: Brief[] = []) {
	const list = new ListedBriefs(() => NOW);
	list.see(briefs);
	const get = (id: string) =>
		Promise.resolve([...got, ...briefs].find((brief) => brief.id === id) ?? null);
	return await list.find({ input: INPUT, isFree: () => true, ...wanted }, get);
}

const found = (id: string) => ({ is: 'found', brief: expect.objectContaining({ id }) as unknown });

describe('the listed brief of a content', () => {
	test('is not one that shows another content, is another’s, or is older than 31 days', async () => {
		const days31 = LOOKED_BACK_MS / MINUTE;
		expect(await find([listed('other', OTHER, 1)])).toEqual({ is: 'nothing' });
		expect(await find([listed('a', INPUT, 1)], { isFree: () => false })).toEqual({ is: 'nothing' });
		expect(await find([listed('a', INPUT, days31)])).toEqual(found('a'));
		expect(await find([listed('a', INPUT, days31 + 1)])).toEqual({ is: 'nothing' });
	});

	test('is unclear if the service does not know yet what it lists, and nothing if that has failed', async () => {
		const unknown = listed('b', INPUT, 1);
		const list = new ListedBriefs(() => NOW);
		const look = (facts: Partial<Brief>) => {
			list.see([{ ...unknown, ...facts }]);
			return list.find({ input: INPUT, isFree: () => true }, () => Promise.resolve(null));
		};
		expect(await look({ status: 'queued' })).toMatchObject({ is: 'unclear', ids: ['b'] });
		expect(await look({ status: 'failed' })).toEqual({ is: 'nothing' });
	});

	test('is a failed one only if there is no other', async () => {
		const failed = listed('failed', INPUT, 1, { status: 'failed' });
		expect(await find([failed, listed('ready', INPUT, 2)])).toEqual(found('ready'));
		expect(await find([failed])).toEqual(found('failed'));
		const silent = listed('silent', {}, 1, { status: 'failed' });
		expect(await find([silent])).toEqual({ is: 'nothing' });
	});

	test('is as the get shows it: one that has failed since it was listed is a failed one', async () => {
		const briefs = [listed('a', INPUT, 1, { status: 'queued' }), listed('b', INPUT, 2)];
		const got = [listed('a', INPUT, 1, { status: 'failed' })];
		expect(await find(briefs, {}, got)).toEqual(found('b'));
		expect(await find(briefs.slice(0, 1), {}, got)).toEqual({ is: 'found', brief: got[0] });
	});

	test('may be one that lies with those of this list, whatever its age and content', async () => {
		const old = listed('kept', OTHER, 99_999);
		const look = await find([old], { isOurs: ({ id }) => id === 'kept' });
		expect(look).toMatchObject({ is: 'unclear', ids: ['kept'] });
		const same = listed('kept', INPUT, 99_999);
		expect(await find([same], { isOurs: ({ id }) => id === 'kept' })).toEqual(found('kept'));
	});
});

test('a content is compared again if a brief was seen since, or if an answer showed its input otherwise', () => {
	const list = new ListedBriefs(() => NOW);
	const wanted = { input: INPUT, isFree: () => true };
	list.see([listed('a', INPUT, 9)]);
	expect([list.mayHave(wanted), list.mayHave(wanted, list.knowledge)]).toEqual([true, false]);
	const compared = list.knowledge;
	list.see([listed('a', INPUT, 9, { status: 'failed' })]);
	expect(list.mayHave(wanted, compared)).toBe(false);
	list.see([listed('b', INPUT, 1)]);
	expect(list.mayHave(wanted, compared)).toBe(true);
	expect(list.mayHave(wanted, list.knowledge)).toBe(false);
	const knowledge = list.knowledge;
	list.learn(listed('c', { ...INPUT, audience: 'Everybody' }, 0), INPUT);
	expect(list.mayHave(wanted, knowledge)).toBe(true);
	expect(list.mayHave(wanted, list.knowledge)).toBe(false);
});

test('while names are shown as they were sent, a brief of another name is of another product, and later it may not be', () => {
	const list = new ListedBriefs(() => NOW);
	const named = (id: string, product_name: string) => listed(id, INPUT, 1, { product_name });
	list.see([named('a', 'Glow Serum'), named('b', 'GLOW SERUM™'), named('c', 'Lamp')]);
	const ids = (briefs: readonly BriefSummary[]) => briefs.map(({ id }) => id);
	expect(ids(list.all())).toEqual(['a', 'b', 'c']);
	expect(ids(list.ofProduct(INPUT))).toEqual(['a']);
	list.learn(named('d', 'GLOW SERUM™'), INPUT);
	expect(ids(list.ofProduct(INPUT))).toEqual(['a', 'b']);
});

test('the newest brief of a content that is too old to be used is found', async () => {
	const days31 = LOOKED_BACK_MS / MINUTE;
	const list = new ListedBriefs(() => NOW);
	const briefs = [
		listed('young', INPUT, days31),
		listed('other', OTHER, days31 + 1),
		listed('old', INPUT, days31 + 2, { status: 'failed' }),
		listed('older', INPUT, days31 + 3),
	];
	list.see(briefs);
	const gets: string[] = [];
	const get = (id: string) => {
		gets.push(id);
		return Promise.resolve(briefs.find((brief) => brief.id === id) ?? null);
	};
	const wanted = { input: INPUT, isFree: () => true };
	expect(await list.findOld(wanted, get)).toMatchObject({ id: 'old' });
	expect(gets).toEqual(['other', 'old']);
	const unknown = { input: { product_name: 'Night Cream' }, isFree: () => true };
	expect(await list.findOld(unknown, get)).toBeNull();
});

test('only those of its product are got, each once, and failed ones only if there is no other', async () => {
	const input = { product_name: 'Glow Serum 30 ml' };
	const list = new ListedBriefs(() => NOW);
	const brief = (id: string, size: string, facts: Partial<Brief> = {}) => {
		const product_name = `Glow Serum ${size}`;
		return listed(id, { product_name }, 1, { product_name, ...facts });
	};
	const briefs = [
		brief('a', '30 ml'),
		brief('b', '50 ml'),
		brief('f', '30 ml', { status: 'failed' }),
	];
	const gets: string[] = [];
	const get = (id: string) => {
		gets.push(id);
		return Promise.resolve(briefs.find((one) => one.id === id) ?? null);
	};
	list.see(briefs);
	expect(await list.find({ input, isFree: () => true }, get)).toEqual(found('a'));
	expect(gets).toEqual(['a']);
	expect(await list.find({ input, isFree: ({ id }) => id !== 'a' }, get)).toEqual(found('f'));
	expect(gets).toEqual(['a', 'f']);
	const more = { ...input, audience: 'Runners' };
	expect(await list.find({ input: more, isFree: () => true }, get)).toEqual({ is: 'nothing' });
	expect(gets).toEqual(['a', 'f', 'a', 'f']);
	expect(list.ofProduct(input).map(({ id }) => id)).toEqual(['a', 'f']);
});

test('candidates are got eight at a time', async () => {
	const list = new ListedBriefs(() => NOW);
	list.see(Array.from({ length: 20 }, (_, i) => listed(`b${i}`, OTHER, i)));
	let [open, most] = [0, 0];
	const get = async () => {
		most = Math.max(most, ++open);
		await new Promise(setImmediate);
		open -= 1;
		return listed('b', OTHER, 1);
	};
	await list.find({ input: INPUT, isFree: () => true }, get);
	expect(most).toBe(8);
});
