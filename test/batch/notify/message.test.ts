import { noRows } from '../../../batch/folder/journal/row-status';
import { messageOf } from '../../../batch/notify/message';
import { Stop } from '../../../batch/stop';
import { entry } from '../../support/batch/journal-events';

const NONE = { failed: 0, invalid: 0, parked: 0, changed: 0 };
const COUNTS = {
	...noRows(),
	ready: 11,
	failed: 2,
	invalid: 1,
	deferred: 3,
};
/** Nothing to say of any row. */
const QUIET = { counts: { ...COUNTS, failed: 0, invalid: 0, deferred: 0 }, known: NONE };
const AT = new Date('2026-11-03T14:03:12Z');
const mug = { brief_id: 'b', product_name: 'Mug', title: 'Sip slow', url: 'https://app.example/b' };
const ended = {
	at: AT.toISOString(),
	...entry.runEnded(),
	outcome: 'allowance' as const,
	exit_code: 3 as const,
	counts: COUNTS,
	known: { failed: 1, invalid: 0, parked: 0, changed: 0 },
	new_briefs: [mug],
};
const names = { name: 'Acme', csv: 'spring.csv', outDir: 'briefs' };
const textOf = (...given: Parameters<typeof messageOf>) =>
	(messageOf(...given) as { text: string }).text;

test('a message says in words what the run came to, and has all numbers', () => {
	expect(messageOf(ended, names, AT)).toEqual({
		...ended,
		text: 'Acme: 1 new brief. 1 failed. 1 invalid. 3 deferred until 1 December 2026. Still failing, known: 1.\n• Mug: Sip slow https://app.example/b',
		at: '2026-11-03T14:03:12.000Z',
		csv: 'spring.csv',
		out: 'briefs',
		name: 'Acme',
		new: 1,
		new_briefs: [mug],
	});
});

test('it says of a row that was parked why, and leaves the commands to status', () => {
	const counts = { ...QUIET.counts, parked: 1 };
	const parked = { ...ended, ...QUIET, counts, fetched: 0, paid: 0 };
	const cause = { reason: 'listed', ids: ['a', 'b'] } as const;
	const new_parked = [{ key: 'k', row: 2, product_name: 'Mug', brief_id: null, ...cause }];
	expect(textOf({ ...parked, new_briefs: [], new_parked }, names, AT)).toBe(
		'Acme: 1 parked.\n• Row 2: Not ordered, nothing paid: the workspace has 2 briefs of “Mug” (a, b), and one may be this row’s.',
	);
});

test('if nothing could begin it says why, and what to do', () => {
	const words = { what: 'The key was refused (401).', cure: 'Check it.' };
	const stop = { reason: 'service' as const, ...words, exit_code: 4 as const };
	const nothing = {
		at: AT.toISOString(),
		event: 'run_ended',
		outcome: 'not_begun',
		exit_code: 4,
		news: true,
		stop,
	} as const;
	expect(textOf(nothing, names, AT)).toBe('Acme: The key was refused (401).\nCheck it.');
});

const counting = (counts: object) => ({ ...QUIET, counts: { ...QUIET.counts, ...counts } });
const knownFailure = { ...counting({ failed: 1 }), known: { ...NONE, failed: 1 } };
const takenOver = { ...QUIET, paid: 0, taken_over: 1 };
const unready = { ...counting({ pending: 2 }), paid: 2 };
const interrupted = { ...QUIET, exit_code: 130 as const };

test.each([
	['what is new before what is known', knownFailure, 1, '1 new brief. Still failing, known: 1.'],
	['that all is done', { ...QUIET, exit_code: 0 as const }, 0, 'All is ready.'],
	['what was paid for', { ...QUIET, paid: 2 }, 3, '3 new briefs (2 paid).'],
	['what was taken over', takenOver, 1, '1 new brief (0 paid, 1 taken over).'],
	['what was paid for and is not ready', unready, 0, '2 paid. 2 pending.'],
	['that it was interrupted', interrupted, 0, 'The run was interrupted.'],
])('it says %s', (_, facts, fetched, text) => {
	const new_briefs = fetched > 0 ? [mug] : [];
	const rows = { ...ended, fetched, paid: fetched, ...facts, new_briefs };
	expect(textOf(rows, names, AT).split('\n')[0]).toBe(`Acme: ${text}`);
});

test('nothing in it calls people or makes a link', () => {
	const what = '<!channel> <https://evil.example|here> @here';
	const stop = new Stop(what, '@all: look', 'unexpected').onRecord;
	const new_briefs = [{ ...mug, title: '<!here> @all', url: 'https://x.example|@here' }];
	const text = textOf({ ...ended, stop, new_briefs }, { ...names, name: '<@U1>' }, AT);
	expect(text).not.toMatch(/[<>]|@\w/);
});

test('it has no field that Slack or Mattermost would obey', () => {
	const obeyed = /^(channel|username|icon_url|icon_emoji|attachments|blocks|type|props|priority)$/;
	expect(Object.keys(messageOf(ended, names, AT)).filter((name) => obeyed.test(name))).toEqual([]);
});
