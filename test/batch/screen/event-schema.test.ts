import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv from 'ajv';
import { eventSchema } from '../../../scripts/event-schema';
import { expectEvent, publishedSchema } from '../../support/batch/event-schema';

test('the published schema is that of the types; if they have changed: npm run schema', () => {
	expect(JSON.parse(publishedSchema)).toEqual(JSON.parse(eventSchema()));
});

test('the schema is in the package', () => {
	const manifest = readFileSync(resolve(__dirname, '../../../batch/package.json'), 'utf8');
	expect((JSON.parse(manifest) as { files: string[] }).files).toContain('events.schema.json');
});

const notice = { at: '2026-11-03T14:03:12.000Z', event: 'notice', text: 'x' };

test.each([
	['without its time', { ...notice, at: undefined }],
	['with a time without a zone', { ...notice, at: '2026-11-03 14:03:12' }],
	['without a field', { ...notice, text: undefined }],
	['with a field that is not named', { ...notice, more: 1 }],
	['of an unknown name', { ...notice, event: 'remark' }],
	[
		'that has some numbers of a run and not the others',
		{ ...notice, event: 'run_ended', ready: 1 },
	],
])('an event %s is found', (_, event) => {
	const printed = JSON.parse(JSON.stringify(event)) as object;
	expect(() => expectEvent(printed)).toThrow('is not as the schema says');
	expect(() => expectEvent(notice)).not.toThrow();
});

test('whoever checks by the published schema is not stopped by a field of a later version', () => {
	const check = new Ajv().compile(JSON.parse(publishedSchema) as object);
	expect(check({ ...notice, later: 1 })).toBe(true);
	expect(check({ ...notice, text: 1 })).toBe(false);
});
