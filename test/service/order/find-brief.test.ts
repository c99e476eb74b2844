import { LOOK_FRESH_MS } from '../../../service/assumptions';
import type { ErrorKind } from '../../../service/api/errors';
import { briefsDownTo, patientLister, type Listing } from '../../../service/list/brief-list';
import { NEW_ORDER, type Stage } from '../../../service/order/life';
import { findOwn, type OrderInDoubt } from '../../../service/order/find-brief';
import type { Brief, BriefPage } from '../../../service/api/resources';
import { VirtualClock } from '../../support/virtual-clock';
import { aBrief, anError } from '../../support/builders';
import { MINUTE } from '../../support/time';

const NOW = Date.UTC(2026, 10, 20, 9);
let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock()));
afterEach(() => clock.stop());

const INPUT = { product_name: 'Glow Serum', audience: 'Runners' };

const failure = (kind: ErrorKind) => anError(kind, { operation: 'get_brief', status: 404 });

/** A service that lists these briefs, newest first, two on a page, and what was asked of it. */
function serviceWith(briefs: Brief[], unknown: Record<string, ErrorKind> = {}) {
	const asked: string[] = [];
	const pageFrom = (start: number): BriefPage => ({
		data: briefs.slice(start, start + 2),
		next_cursor: start + 2 < briefs.length ? String(start + 2) : null,
	});
	return {
		asked,
		now: () => NOW,
		briefs: ({ cursor = '0' } = {}) => {
			asked.push(`list from ${cursor}`);
			return Promise.resolve(pageFrom(Number(cursor)));
		},
		brief: (id: string) => {
			asked.push(id);
			const kind = unknown[id];
			const brief = briefs.find((one) => one.id === id);
			return kind === undefined && brief
				? Promise.resolve(brief)
				: Promise.reject(failure(kind ?? 'not_found'));
		},
	};
}

const listed = (id: string, input: Record<string, unknown>, minutes = 0): Brief =>
	aBrief({ id, product_name: 'Glow Serum', created_at: NOW + minutes * MINUTE, input });
const retrying = () => ({ clock });
const nobodys = (): boolean => false;
const SENT = { service: NOW, machine: NOW };
const SOUGHT: OrderInDoubt = { input: INPUT, firstTried: SENT, lastTried: SENT, knownBefore: null };
/** The briefs that the process knows, in the order in which it saw them first. */
const knowing = (...ids: string[]) => ({
	workspace: { wasKnown: (id: string, known: number) => ids.slice(0, known).includes(id) },
});
const find = (
	service: ReturnType<typeof serviceWith>,
	isClaimed: (id: string) => boolean = nobodys,
	sought = SOUGHT,
) =>
	findIn(service, (instant) => briefsDownTo(patientLister(service, retrying()), instant), {
		...sought,
		isOthers: isClaimed,
	});

async function findIn(
	service: ReturnType<typeof serviceWith>,
	downTo: (instant: number) => Promise<Listing>,
	{
		firstTried,
		lastTried,
		knownBefore,
		...sought
	}: OrderInDoubt & { isOthers: (id: string) => boolean },
) {
	const order = { ...NEW_ORDER, firstTried, lastTried, knownBefore };
	const tools = { service, ...knowing('before', 'after'), ...retrying(), list: { downTo } };
	return (await findOwn(order, tools, sought)).look;
}

test('one that shows no input is likely, and of two nobody knows which', async () => {
	expect(await find(serviceWith([listed('one', {})]))).toMatchObject({
		is: 'unclear',
		ids: ['one'],
		likelyBrief: { id: 'one' },
	});
	const both = await find(serviceWith([listed('two', {}), listed('one', {})]));
	expect(both).toMatchObject({ is: 'unclear', ids: ['two', 'one'] });
	expect(both).not.toHaveProperty('likelyBrief');
});

describe('a time', () => {
	const DAYS = 24 * 60;
	const OTHER = { ...INPUT, audience: 'Cooks' };

	test('speaks for one of several, and for none of which it speaks for two', async () => {
		const several = [listed('two', {}, 40 * 60), listed('one', {}, 1), listed('old', {}, -300)];
		const look = await find(serviceWith(several));
		expect(look).toMatchObject({ is: 'unclear', likelyBrief: { id: 'one' } });
		const same = [listed('two', INPUT, 2), listed('one', INPUT, 1), listed('old', INPUT, -300)];
		expect(await find(serviceWith(same))).toMatchObject({ is: 'found', brief: { id: 'one' } });
	});

	test('leaves it open whether a brief in other words is its own, unless it is a day away', async () => {
		const at = (minutes: number) => find(serviceWith([listed('other', OTHER, minutes)]));
		for (const minutes of [0, -DAYS, DAYS]) {
			expect(await at(minutes)).toEqual({ is: 'unclear', ids: ['other'] });
		}
		expect(await at(DAYS + 12)).toEqual({ is: 'nothing' });
		expect(await at(-DAYS - 1)).toEqual({ is: 'nothing' });
		const same = await find(serviceWith([listed('same', INPUT, DAYS + 12)]));
		expect(same).toMatchObject({ is: 'found' });
	});
});

test('a brief that was known before the order was sent is not its own, whatever the clocks say', async () => {
	const service = () => serviceWith([listed('before', INPUT, 1), listed('after', INPUT, -1)]);
	const sought = { ...SOUGHT, knownBefore: 1 };
	const look = await find(service(), nobodys, sought);
	expect(look).toMatchObject({ is: 'found', brief: { id: 'after' } });
	expect(await find(service())).toMatchObject({ is: 'found' });
	const only = serviceWith([listed('before', INPUT, 1)]);
	expect(await find(only, nobodys, sought)).toEqual({ is: 'nothing' });
});

test('a brief of another product is not even got, whatever its input shows', async () => {
	const service = serviceWith([{ ...listed('other', INPUT), product_name: 'Night Cream' }]);
	expect(await find(service)).toEqual({ is: 'nothing' });
	expect(service.asked).toEqual(['list from 0']);
});

test('the name of a brief says which product it is of, whatever its input names', async () => {
	const look = await find(serviceWith([listed('one', { ...INPUT, product_name: 'Night Cream' })]));
	expect(look).toMatchObject({ is: 'unclear', likelyBrief: { id: 'one' } });
});

test('an order that was never tried may have been ordered before, at any time', async () => {
	const never = { ...SOUGHT, firstTried: null, lastTried: null };
	const look = (input: Record<string, unknown>) =>
		find(serviceWith([listed('one', input)]), nobodys, never);
	expect(await look(INPUT)).toMatchObject({ is: 'found', brief: { id: 'one' } });
	expect(await look({ ...INPUT, audience: 'Cooks' })).toEqual({ is: 'unclear', ids: ['one'] });
});

test('a brief of another time is hardly that of an order for a further one', async () => {
	const look = (isFurther: boolean, minutes: number) =>
		find(serviceWith([listed('one', INPUT, minutes)]), nobodys, { ...SOUGHT, isFurther });
	expect(await look(true, 1)).toMatchObject({ is: 'found' });
	expect(await look(true, -300)).toEqual({ is: 'unclear', ids: ['one'] });
	expect(await look(false, -300)).toMatchObject({ is: 'found' });
});

test('a brief whose name says nothing may be its own, unless its input names another product', async () => {
	const nameless = (input: Record<string, unknown>) =>
		find(serviceWith([{ ...listed('one', input), product_name: '—' }]));
	expect(await nameless(INPUT)).toMatchObject({ is: 'found' });
	expect(await nameless({})).toMatchObject({ is: 'unclear', likelyBrief: { id: 'one' } });
	const other = { audience: 'Runners', product_name: 'Night Cream' };
	expect(await nameless(other)).toEqual({ is: 'nothing' });
	expect(await nameless({ ...INPUT, audience: 'Cooks' })).toEqual({ is: 'unclear', ids: ['one'] });
});

test('any reading of the list will do for a parked order, which is never sent, and a fresh one for any other', async () => {
	const readingsFor = async (stage: Stage) => {
		const downTo = jest.fn(() => Promise.resolve({ briefs: [], isComplete: true, asOf: 0 }));
		const order = { ...NEW_ORDER, firstTried: SENT, lastTried: SENT, stage };
		const tools = { service: serviceWith([]), ...knowing(), ...retrying(), list: { downTo } };
		await findOwn(order, tools, { input: INPUT, isOthers: nobodys });
		return downTo.mock.calls;
	};
	const read = (enough: object) => [[expect.any(Number), enough, undefined]];
	expect(await readingsFor('parked')).toEqual(read({ maxAge: Infinity }));
	const fresh = { maxAge: LOOK_FRESH_MS, since: expect.any(Number) as unknown };
	expect(await readingsFor('in_doubt')).toEqual(read(fresh));
});

describe('if the list could not be read to its end', () => {
	const findAmong = (briefs: Brief[]) =>
		findIn(serviceWith(briefs), () => Promise.resolve({ briefs, isComplete: false, asOf: 0 }), {
			...SOUGHT,
			isOthers: nobodys,
		});

	test('a brief that is found is found', async () => {
		const same = listed('same', INPUT);
		expect(await findAmong([same])).toEqual({ is: 'found', brief: same });
	});

	test('nobody can say that there is none, nor that one is the only one', async () => {
		expect(await findAmong([])).toEqual({ is: 'unclear', ids: [] });
		expect(await findAmong([listed('one', {})])).toEqual({ is: 'unclear', ids: ['one'] });
	});
});
