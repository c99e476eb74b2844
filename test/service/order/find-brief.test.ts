import type { ErrorKind } from '../../../service/api/errors';
import { briefsDownTo, patientLister } from '../../../service/list/brief-list';
import { findBrief, listedSince, pickBrief } from '../../../service/order/find-brief';
import type { Brief, BriefPage } from '../../../service/api/resources';
import { DEFAULT_POLL_INTERVAL } from '../../../service/api/poll-interval';
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
const retrying = () => ({ clock, interval: DEFAULT_POLL_INTERVAL });
const nobodys = (): boolean => false;
const find = (
	service: ReturnType<typeof serviceWith>,
	isClaimed: (id: string) => boolean = nobodys,
) =>
	briefsDownTo(patientLister(service, retrying()), listedSince(NOW)).then((listing) =>
		findBrief(
			{ service, clock, interval: DEFAULT_POLL_INTERVAL },
			{ input: INPUT, firstTried: NOW },
			listing,
			isClaimed,
		),
	);

test('the brief that shows the same input is found, and no other of the product', async () => {
	const service = serviceWith([
		listed('other', { ...INPUT, audience: 'Cooks' }),
		listed('same', INPUT),
	]);
	expect(await find(service)).toMatchObject({ is: 'found', brief: { id: 'same' } });
});

test('of several with the same input the oldest is found first', async () => {
	const service = serviceWith([listed('newer', INPUT, 2), listed('older', INPUT, 1)]);
	expect(await find(service)).toMatchObject({ is: 'found', brief: { id: 'older' } });
});

test('nothing is found if the product has no brief, another input, or a brief of another row', async () => {
	expect(await find(serviceWith([]))).toEqual({ is: 'nothing' });
	const other = serviceWith([listed('other', { ...INPUT, audience: 'Cooks' })]);
	expect(await find(other)).toEqual({ is: 'nothing' });
	const claimed = serviceWith([listed('claimed', INPUT)]);
	expect(await find(claimed, (id) => id === 'claimed')).toEqual({ is: 'nothing' });
	expect(claimed.asked).toEqual(['list from 0']);
});

test('one that shows no input is likely, and of two nobody knows which', async () => {
	expect(await find(serviceWith([listed('one', {})]))).toMatchObject({
		is: 'unclear',
		ids: ['one'],
		likely: { id: 'one' },
	});
	const both = await find(serviceWith([listed('two', {}), listed('one', {})]));
	expect(both).toMatchObject({ is: 'unclear', ids: ['two', 'one'] });
	expect(both).not.toHaveProperty('likely');
});

test('the brief that is found is as the get showed it, which may be newer than the list', async () => {
	const [shown, got] = [listed('one', INPUT), { ...listed('one', INPUT), revision: 7 }];
	const look = await pickBrief(
		[shown],
		() => 'same',
		() => Promise.resolve(got),
	);
	expect(look).toEqual({ is: 'found', brief: got });
});

describe('if the list could not be read to its end', () => {
	const findIn = (briefs: Brief[]) =>
		findBrief(
			{ service: serviceWith(briefs), ...retrying() },
			{ input: INPUT, firstTried: NOW },
			{ briefs, isComplete: false },
			nobodys,
		);

	test('a brief that is found is found', async () => {
		const same = listed('same', INPUT);
		expect(await findIn([same])).toEqual({ is: 'found', brief: same });
	});

	test('nobody can say that there is none, nor that one is the only one', async () => {
		expect(await findIn([])).toEqual({ is: 'unclear', ids: [] });
		expect(await findIn([listed('one', {})])).toEqual({ is: 'unclear', ids: ['one'] });
	});
});

test('one that is listed and that the get does not know yet exists all the same', async () => {
	const service = serviceWith([listed('new', INPUT)], { new: 'not_found' });
	expect(await find(service)).toMatchObject({ is: 'unclear', ids: ['new'], likely: { id: 'new' } });
});

test('any other failure of a get is an error once it has lasted, for nothing may be decided without it', async () => {
	const service = serviceWith([listed('new', INPUT)], { new: 'service_unavailable' });
	await expect(find(service)).rejects.toMatchObject({ kind: 'service_unavailable' });
	expect(service.asked.filter((what) => what === 'new')).toHaveLength(7);
});

test('pages are read down to ten minutes before the order, for the list may be in some disorder', async () => {
	const old = (id: string, minutes: number) => listed(id, { product_name: 'Else' }, minutes);
	const service = serviceWith([
		...[old('a', 3), old('b', -9), listed('same', INPUT, 1), old('d', -11), old('e', -30)],
	]);
	expect(await find(service)).toMatchObject({ is: 'found' });
	expect(service.asked.filter((what) => what.startsWith('list'))).toEqual([
		'list from 0',
		'list from 2',
	]);
});
