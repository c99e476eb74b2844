import type { Brief } from '../../../service/api/resources';
import { fetchEnded, fetchKnown, isRead, isWhole } from '../../../service/watch/whole-brief';
import { aBrief, aSummary } from '../../support/builders';
import { rig } from '../../support/service/rig';
import { HOUR, MINUTE, SECOND } from '../../support/time';

/** A brief that ended a moment ago, as whoever fetches it finds it. */
async function ended(options: Parameters<typeof rig>[0] = {}) {
	const all = rig({ duration: () => 5 * MINUTE, ...options });
	const { id } = await all.create();
	await all.clock.pass(5 * MINUTE);
	const { service, clock } = all;
	const get = (wanted: string) => service.brief(wanted);
	return { ...all, id, fetching: { get, clock } };
}

test('a brief was read by itself if it has all that the list leaves out', () => {
	const { markdown, document, error_code } = aBrief();
	expect(isRead(aBrief())).toBe(true);
	const parts = [{}, { document, error_code }, { markdown, error_code }, { markdown, document }];
	for (const part of parts) expect(isRead({ ...aSummary(), ...part })).toBe(false);
});

describe('a brief that has ended', () => {
	test('is whole once it shows its end, and if it is ready its text', () => {
		const brief = (facts: Partial<Brief>) =>
			isWhole({ finished_at: null, markdown: null, ...facts } as Brief);
		expect(brief({ status: 'ready', markdown: '# A' })).toBe(true);
		expect(brief({ status: 'ready' })).toBe(false);
		expect(brief({ status: 'failed' })).toBe(true);
		expect(brief({ status: 'checking', markdown: '# A' })).toBe(false);
		expect(brief({ status: 'reviewing' })).toBe(false);
		expect(brief({ status: 'canceled', finished_at: '2026-11-10T12:00:00Z' })).toBe(true);
	});

	test('is not got again if it was read whole', async () => {
		const { fetching, memory } = await ended();
		const whole = aBrief({ status: 'ready', markdown: '# A' });
		expect(await fetchEnded(whole, fetching)).toBe(whole);
		expect(memory.count('get_brief')).toBe(0);
	});

	test('is not got again after the deadline', async () => {
		const { id, fetching, clock, memory } = await ended({ getLag: HOUR });
		const brief = aSummary({ id });
		const deadline = clock.now() + 40 * SECOND;
		expect(await fetchEnded(brief, { ...fetching, deadline })).toBeNull();
		expect(memory.count('get_brief')).toBe(3);
		// But once more at that very moment.
		const onTime = clock.now() + 45 * SECOND;
		await fetchEnded(brief, { ...fetching, deadline: onTime });
		expect(memory.count('get_brief')).toBe(3 + 4);
	});
});

test('a brief of which only the ID is known is got until the service knows it, as often as asked', async () => {
	const { id, fetching, memory } = await ended({ getLag: 6 * MINUTE });
	expect(await fetchKnown(id, fetching, 2)).toBeNull();
	expect(memory.count('get_brief')).toBe(2);
	expect(await fetchKnown(id, fetching)).toMatchObject({ status: 'queued' });
});
