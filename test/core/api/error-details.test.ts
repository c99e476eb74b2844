import fc from 'fast-check';
import { readDetails } from '../../../core/api/error-details';

describe('readDetails', () => {
	test.each<[unknown, string[]]>([
		[undefined, []],
		[null, []],
		['', []],
		['too short', ['too short']],
		[42, ['42']],
		[false, ['false']],
		[{ a: [null, ''] }, []],
		[[{ field: 'audience', message: 'too long' }], ['audience: too long']],
		[[{ path: ['body', 'reference_urls', 2], msg: 'no URI' }], ['reference_urls.2: no URI']],
		[[{ loc: ['body', 'audience'], msg: 'too long', type: 'x' }], ['audience: too long']],
		[[{ pointer: '#/body/audience', detail: 'too long' }], ['audience: too long']],
		[[{ path: '/reference_urls/0', message: 'no URI' }], ['reference_urls.0: no URI']],
		[[{ path: 'items/0/name', message: 'no text' }], ['items.0.name: no text']],
		[[{ message: '', detail: 'too long' }], ['too long']],
		[[{ param: 'limit', reason: 'too big' }], ['limit: too big']],
		[[{ message: 'no field' }], ['no field']],
		[{ audience: ['too long', 'rude'] }, ['audience: too long', 'audience: rude']],
		[{ body: { audience: { message: 'too long' } } }, ['body.audience: too long']],
		[{ fields: [{ field: 'a', message: 'b' }] }, ['fields.a: b']],
		[{ field: 'a', code: 'too_long' }, ['field: a', 'code: too_long']],
		['x'.repeat(300), ['x'.repeat(300)]],
		['x'.repeat(301), [`${'x'.repeat(299)}…`]],
		[Array(500).fill('x'), Array(50).fill('x')],
	])('reads %j as %j', (details, lines) => {
		expect(readDetails(details)).toEqual(lines);
	});

	test('returns short lines for any JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (details) => {
				for (const line of readDetails(details)) expect(line.length).toBeLessThanOrEqual(300);
			}),
		);
	});
});
