import type { BriefInput } from '../../../service/api/resources';
import { CUT } from '../../support/faults';
import type { VirtualSandboxOptions } from '../../support/virtual-sandbox';
import { DAY, HOUR, MINUTE } from '../../support/time';
import { World } from '../../support/world/world';

/** Which clocks are wrong when an order is sent. Later all but the one that writes the times of briefs are right. */
interface Wrong extends Pick<VirtualSandboxOptions, 'isDateless' | 'writtenAhead'> {
	isZoneless?: boolean;
	date?: number;
	own?: number;
}

const CLOCKS: ReadonlyArray<[string, Wrong]> = [
	['that agree', {}],
	['that write briefs three minutes behind', { writtenAhead: -3 * MINUTE }],
	['that write briefs an hour behind', { writtenAhead: -HOUR }],
	['that write briefs in local time', { writtenAhead: -8 * HOUR, isZoneless: true }],
	['that write briefs in the local time of tomorrow', { writtenAhead: 13 * HOUR }],
	['of answers that were 61 minutes ahead', { date: 61 * MINUTE }],
	['of answers that were three hours ahead', { date: 3 * HOUR }],
	['of answers that were 26 hours ahead', { date: 26 * HOUR }],
	['of answers that were in the year 2100', { date: 74 * 365 * DAY }],
	['of answers that were in the year 1970', { date: -56 * 365 * DAY }],
	['of ours that was three hours ahead, without another', { isDateless: true, own: 3 * HOUR }],
	['of ours that was 23 hours ahead, without another', { isDateless: true, own: 23 * HOUR }],
	['of ours that was three days ahead', { own: 3 * DAY }],
	['of ours that was three days behind', { own: -3 * DAY }],
];

const ORDERED: BriefInput = {
	product_name: 'Glow Serum',
	audience: 'Runners over forty',
	campaign_terms: '10 % for each sale',
};

const SHOWN: ReadonlyArray<[string, (input: BriefInput) => Record<string, unknown>]> = [
	['as it was sent', (input) => ({ ...input })],
	['with one text in other words', (input) => ({ ...input, audience: 'Older joggers' })],
	[
		'translated',
		({ product_name }) => ({
			product_name,
			audience: 'Läufer über vierzig',
			campaign_terms: 'Zehn Prozent Provision',
		}),
	],
	['not at all', () => ({})],
];

/** An order whose answer is lost with its process, and the same command again some hours later. */
async function lostAndRunAgain(
	{ date = 0, own = 0, isZoneless = false, ...options }: Wrong,
	shown: (input: BriefInput) => Record<string, unknown>,
	later: number,
): Promise<World> {
	const world = new World({ ...options, keyMemoryMs: HOUR });
	world.rows = [ORDERED];
	world.service.shownInput = shown;
	if (isZoneless)
		world.service.shown = (brief) => ({
			...brief,
			created_at: String(brief.created_at).replace('Z', ''),
		});
	world.service.dateAhead = date;
	world.skew = own;
	world.service.fail('create_brief', CUT);
	await world.run({ deathOn: { event: 'waits', nth: 1 } });
	expect(world.paid()).toHaveLength(1);
	world.service.dateAhead = 0;
	world.skew = 0;
	await world.pass(later);
	await world.run();
	await world.pass(DAY);
	await world.run();
	return world;
}

describe.each(CLOCKS)('with clocks %s', (_clocks, wrong) => {
	test.each(SHOWN)(
		'an order without an answer is paid once, if its brief shows its input %s',
		async (_shown, shown) => {
			for (const later of [20 * MINUTE, 2 * HOUR, 9 * HOUR, 4 * DAY]) {
				const world = await lostAndRunAgain(wrong, shown, later);
				expect(world.paid()).toHaveLength(1);
				expect(
					world
						.records()
						.all()
						.map(({ state }) => state.stage),
				).toContainEqual(expect.stringMatching(/^(done|parked)$/));
			}
		},
	);
});
