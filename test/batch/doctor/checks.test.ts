import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkAllowance, checkKey, checkLicence, checkScope } from '../../../batch/doctor/access';
import { firstToCure, ok, problem, unknown, warning } from '../../../batch/doctor/check';
import { checkFolder, type FolderFacts } from '../../../batch/doctor/folder';
import { checkClocks, checkLock, checkNode, OLDEST_NODE } from '../../../batch/doctor/machine';
import { ServiceError, type ErrorFacts } from '../../../service/errors';
import type { Licence } from '../../../service/resources';

const NOW = Date.UTC(2026, 10, 20);
const DAY_MS = 86_400_000;

const error = (kind: ErrorFacts['kind'], facts: Partial<ErrorFacts> = {}) =>
	new ServiceError({
		kind,
		operation: 'list_licences',
		status: 403,
		code: '',
		message: '',
		details: [],
		requestId: '',
		retryAt: null,
		...facts,
	});

const licence: Licence = {
	product: 'creator-briefs',
	name: 'Creator Briefs',
	channels: ['web', 'api'],
	monthly_allowance: 50,
	used_this_month: 0,
	renews_or_ends_at: '2026-12-31',
};

describe('what is to be cured first', () => {
	const slow = warning('clocks', 'They differ.', 'Set them.');
	const refused = problem('key', { what: 'No.', cure: 'Another.', exitCode: 4 });
	const full = problem('folder', { what: 'Full.', cure: 'Make room.', exitCode: 2 });

	test('is the first problem, whatever warnings stand before it', () => {
		expect(firstToCure([ok('a', ''), slow, refused, full])).toBe(refused);
	});

	test('is the first warning where there is no problem, and no failure of the command', () => {
		expect(firstToCure([unknown('a', ''), slow])).toBe(slow);
		expect(slow.exit_code).toBe(0);
	});

	test('is nothing where all is well', () => {
		expect(firstToCure([ok('a', ''), unknown('b', '')])).toBeNull();
	});
});

describe('Node.js', () => {
	test('is needed in the version that package.json names', () => {
		const manifest = readFileSync(resolve(__dirname, '../../../batch/package.json'), 'utf8');
		const { engines } = JSON.parse(manifest) as { engines: { node: string } };
		expect(engines.node).toBe(`>=${OLDEST_NODE}`);
	});

	test.each([
		['v20.12.0', 'ok'],
		['v20.11.1', 'problem'],
		['v18.20.0', 'problem'],
		['v22.0.0', 'ok'],
		['v24.11.0', 'ok'],
	])('%s is %s', (version, state) => {
		expect(checkNode(version).state).toBe(state);
	});
});

describe('the clocks', () => {
	test.each([
		[0, 'ok', 'differ by 0 s'],
		[-119_000, 'ok', 'differ by 119 s'],
		[121_000, 'warning', '2 minutes behind the service’s'],
		[-3 * DAY_MS, 'warning', '72 hours ahead of the service’s'],
		[null, 'unknown', 'no answer'],
	])('%s ms apart: %s', (offset, state, text) => {
		const check = checkClocks(offset, NOW);
		expect(check.state).toBe(state);
		expect(check.what).toContain(text);
	});
});

describe('the key', () => {
	test('that is refused is a problem, and says which one it was', () => {
		const check = checkKey(error('key_refused', { status: 401 }), 'KEY in acme.env', NOW);
		expect(check).toMatchObject({ state: 'problem', exit_code: 4 });
		expect(check.what).toContain('It is that of KEY in acme.env.');
	});

	test('is accepted where the service refuses for want of a scope or a licence', () => {
		for (const refusal of [null, error('scope_missing'), error('licence_missing')])
			expect(checkKey(refusal, 'KEY', NOW).state).toBe('ok');
		expect(checkKey(error('service_unavailable', { status: 503 }), 'KEY', NOW).state).toBe(
			'unknown',
		);
	});
});

describe('a scope', () => {
	const scope = (kind: ErrorFacts['kind'], operation: 'list_briefs' | 'list_hooks') =>
		checkScope(operation, { error: error(kind, { operation }) }, NOW);

	test('is granted where its request is answered', () => {
		expect(checkScope('list_briefs', { value: [] }, NOW)).toMatchObject({
			name: 'scope creator-briefs:read',
			state: 'ok',
		});
	});

	test('that is missing ends a run with 4, unless only n8n needs it', () => {
		expect(scope('scope_missing', 'list_briefs')).toMatchObject({ state: 'problem', exit_code: 4 });
		const hooks = scope('scope_missing', 'list_hooks');
		expect(hooks).toMatchObject({ state: 'warning', exit_code: 0 });
		expect(hooks.what).toContain('content-iq:read');
		expect(hooks.cure).toContain('n8n');
	});

	test('is not known where licence or key are refused, or nothing was asked', () => {
		expect(scope('licence_missing', 'list_briefs').state).toBe('unknown');
		expect(scope('key_refused', 'list_briefs').state).toBe('unknown');
		expect(checkScope('list_briefs', null, NOW).state).toBe('unknown');
	});

	test('whose request fails otherwise is a problem of the service', () => {
		expect(scope('service_unavailable', 'list_briefs')).toMatchObject({ exit_code: 5 });
	});
});

describe('the licence', () => {
	const check = (...licences: Licence[]) => checkLicence({ value: licences }, NOW);

	test('is shown with its channels and its end', () => {
		expect(check(licence)).toMatchObject({
			state: 'ok',
			what: '“Creator Briefs” for web, api, renews or ends on 31 December 2026',
		});
	});

	test.each([
		['is not there', []],
		['does not cover the API', [{ ...licence, channels: ['web'] }]],
		['has ended', [{ ...licence, renews_or_ends_at: '2026-11-01' }]],
	] as Array<[string, Licence[]]>)('that %s is a problem', (_, licences) => {
		expect(check(...licences)).toMatchObject({ state: 'problem', exit_code: 4 });
	});

	test('that the service finds missing is a problem; any other error says nothing of it', () => {
		expect(checkLicence({ error: error('licence_missing') }, NOW)).toMatchObject({ exit_code: 4 });
		expect(checkLicence({ error: error('scope_missing') }, NOW).state).toBe('unknown');
	});
});

describe('the month’s use', () => {
	const use = { allowance: 50, running: 1, resets_at: '2026-12-01T00:00:00.000Z' };

	test('is that of the list, and says where the licence names another', () => {
		const check = checkAllowance(licence, { ...use, used: 7, remaining: 43 });
		expect(check.state).toBe('ok');
		expect(check.what).toBe(
			'50 briefs a month, 7 used (counted from the list: used_this_month says 0), 43 left, 1 running now; it resets on 1 December 2026 (UTC)',
		);
		const same = checkAllowance(
			{ ...licence, used_this_month: 7 },
			{ ...use, used: 7, remaining: 43 },
		);
		expect(same.what).not.toContain('counted');
	});

	test('that leaves nothing is a warning with the day on which it goes on', () => {
		const check = checkAllowance(licence, { ...use, used: 50, remaining: 0 });
		expect(check.state).toBe('warning');
		expect(check.cure).toContain('1 December 2026');
	});

	test('is not known without licence or list', () => {
		expect(checkAllowance(null, null).state).toBe('unknown');
	});
});

describe('the folder', () => {
	const facts: FolderFacts = { exists: true, nearest: '/x', error: null, freeBytes: 5e9 };
	const failing = (code: string) => Object.assign(new Error(code), { code, path: '/x' });

	test('that is there, or can be made, is shown with its free space', () => {
		expect(checkFolder('briefs', facts).what).toBe('briefs can be written, 5000 MB free');
		const missing = checkFolder('briefs', { ...facts, exists: false, freeBytes: null });
		expect(missing.what).toBe('briefs is not there yet and can be made in /x');
	});

	test('that cannot be written is a problem which running again does not cure', () => {
		expect(checkFolder('briefs', { ...facts, error: failing('EACCES') })).toMatchObject({
			state: 'problem',
			exit_code: 2,
		});
	});

	test('on a disk that is nearly full is a warning', () => {
		expect(checkFolder('briefs', { ...facts, freeBytes: 99e6 })).toMatchObject({
			state: 'warning',
			what: 'The disk of briefs has 99 MB left.',
		});
	});
});

describe('the lock', () => {
	const by = { pid: 12, host: 'host-1', since: '2026-11-20T09:00:00.000Z', nonce: 'n', beat: 5000 };
	const held = { is: 'held', by, length: 90 } as const;

	test.each([
		['there is none', { is: 'absent' }, 'unknown', 'ok', 'no run holds'],
		['its run is at work', held, 'alive', 'warning', 'process 12 on host-1'],
		['its run has ended', held, 'dead', 'ok', 'takes it over'],
		['its run is on another machine', held, 'unknown', 'warning', 'process 12 on host-1'],
		['it is torn', { is: 'unreadable', length: 0 }, 'unknown', 'warning', 'did not write'],
	] as const)('where %s', (_, found, fate, state, text) => {
		const check = checkLock(found, fate, 'briefs');
		expect(check).toMatchObject({ state, exit_code: 0 });
		expect(check.what).toContain(text);
	});
});
