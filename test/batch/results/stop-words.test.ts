import { Failure } from '../../../batch/failure';
import {
	stopCode,
	StopError,
	type StopCause,
	type Surprise,
} from '../../../batch/folder/journal/stop-causes';
import { failureOf, stopWords, surpriseText } from '../../../batch/results/stop-words';
import { ServiceError } from '../../../service/api/errors';

const AT = Date.parse('2026-11-20T09:00:00Z');
const folder = 'out';
const brief = { id: 'b1', product_name: 'Lamp' };

type Facts<Reason> = Omit<Extract<StopCause, { reason: Reason }>, 'reason'>;

/** One of each reason, with the exit code and something of the words. */
const EACH: { [Reason in StopCause['reason']]: [Facts<Reason>, number, string] } = {
	service: [
		{ answer: { kind: 'key_refused', operation: 'list_licences', status: 401 } },
		4,
		'The API key was refused',
	],
	wrong_address: [{ base_url: 'https://x.example/v2', status: 404 }, 2, '“not found” (404)'],
	other_workspace: [{ folder, ids: ['b1', 'b2'] }, 2, 'in the folder out (b1, b2)'],
	other_product_column: [
		{ rows: 2, column: 'Name', before: { column: 'Title', is_there: true } },
		2,
		'from the column “Name”, and were read from the column “Title” in the last run. So 2 rows',
	],
	too_many_new: [{ rows: 3, allowed: 1, first: 'Mug' }, 2, '3 rows are new, from “Mug” on'],
	surprise: [
		{ surprises: [{ is: 'all_rows', option: '--order-again' }] },
		2,
		'--order-again names no rows, so it means all of them. Nothing was ordered.',
	],
	unasked: [{}, 2, 'Nothing was ordered.'],
	no_slot: [
		{ since: '2026-11-20T08:00:00.000Z', wait: { cause: 'taken', briefs: [] } },
		5,
		'since 2026-11-20 08:00 UTC: both slots are taken by orders that have no answer yet.',
	],
	unbelieved: [
		{ product_name: 'Mug', brief },
		5,
		'the order of “Mug” with the brief of another order: b1 (“Lamp”).',
	],
	no_journal: [{ folder }, 2, 'No run is on record in out.'],
	journal_damaged: [{ path: 'out/journal.jsonl', line: 3 }, 2, 'is damaged at line 3'],
	journal_format: [{ path: 'out/journal.jsonl', format: 9 }, 2, 'does not know (9, it reads'],
	in_use: [{ folder, by: null, sign: 'heart' }, 6, 'The folder out is in use by another run.'],
	lock_unknown: [{ folder, path: 'out/.lock' }, 6, 'has a lock in a form'],
	lock_is_link: [{ path: 'out/.lock' }, 2, 'out/.lock is a link that leads nowhere'],
	results_are_link: [{ path: 'out/results' }, 2, 'out/results is a link'],
	journal_replaced: [{ path: 'out/journal.jsonl' }, 2, 'The journal out/journal.jsonl was removed'],
	lock_gone: [{ folder }, 5, 'The lock of the folder out is gone'],
	lock_taken: [
		{ folder, by: { pid: 7, host: 'h', since: 'x' } },
		6,
		'run (process 7 on h, since x)',
	],
	disk: [{ code: 'ENOSPC', syscall: 'write', message: '' }, 5, 'the folder of --out could not'],
	unexpected: [{ message: 'a bug' }, 5, 'Unexpected error: a bug'],
};

test.each(Object.entries(EACH))('%s has an exit code and words', (reason, [facts, code, what]) => {
	const cause = { reason, ...facts } as StopCause;
	expect(stopCode(cause)).toBe(code);
	const words = stopWords(cause, AT);
	expect(words.what).toContain(what);
	expect(words.cure).toMatch(/\.$|^Try http/);
	expect(failureOf(new StopError(cause))).toMatchObject({ ...words, exitCode: code, reason });
});

test.each<[Surprise, string]>([
	[
		{ is: 'other_product', row: 3, product_name: 'Mug', brief },
		'--adopt gives row 3 (“Mug”) brief b1, which is a brief of “Lamp”.',
	],
	[
		{ is: 'other_list', folder, csv: 'a.csv' },
		'The folder out has orders, but none of a product in a.csv.',
	],
	[
		{ is: 'known_products', products: 2, newest: '2026-11-03T10:00:00.000Z' },
		'The workspace has briefs of 2 products in this list, the newest of 3 November 2026, with other content or older than 31 days. This folder knows no order of them.',
	],
])('what is to be confirmed is said (%#)', (surprise, text) => {
	expect(surpriseText(surprise)).toBe(text);
});

test('a date in the words is of the time when it happened', () => {
	const error = new ServiceError({ kind: 'allowance_used_up', operation: 'list_briefs' });
	expect(failureOf(error, AT)).toMatchObject({ exitCode: 5, reason: 'service' });
	expect(failureOf(error, AT).cure).toContain('1 December 2026');
});

test('what has its words keeps them', () => {
	const failure = new Failure('--out is empty.', 'Name a folder.');
	expect(failureOf(failure)).toBe(failure);
});

test.each([
	['ENOSPC', '', 5, 'The disk is full, so out/x could not be written.'],
	['EDQUOT', '', 5, 'The disk is full, so out/x could not be written.'],
	['ENOENT', 'open', 5, 'out/x is gone.'],
	['EIO', '', 5, 'The run stopped: broken.'],
	['EFBIG', '', 2, 'A file may not become so large here, so out/x could not be written (EFBIG).'],
	['EROFS', '', 2, 'out/x could not be written: what it lies on can only be read (EROFS).'],
	['EISDIR', '', 2, 'out/x is a folder where a file is needed (EISDIR).'],
	['ELOOP', '', 2, 'out/x cannot be used as a path: its links lead in a circle (ELOOP).'],
	['ENXIO', 'open', 2, 'out/x is no file but a pipe, a socket or a device.'],
	['ENOENT', 'mkdir', 2, 'No folder can be made at out/x (ENOENT).'],
])('a disk that says %s (%s) ends the run with %i and a text', (code, syscall, exitCode, what) => {
	const failure = failureOf(Object.assign(new Error('broken'), { code, syscall, path: 'out/x' }));
	expect(failure).toMatchObject({ what, exitCode });
	expect(failure.cure).toContain('run the same command again');
});
