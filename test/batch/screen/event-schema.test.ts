import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import type { RunEvent } from '../../../batch/events';
import { eventSchema, expectEvent } from '../../support/batch/event-schema';

/** What is printed besides the events of a run. */
type Printed = 'row_not_restarted' | 'plan' | 'status' | 'doctor';

/** The type checker has this list complete. */
const EVENTS: Record<RunEvent['event'] | Printed, 0> = {
	plan: 0,
	status: 0,
	doctor: 0,
	run_started: 0,
	run_ended: 0,
	interrupted: 0,
	notice: 0,
	allowance: 0,
	row_invalid: 0,
	row_changed: 0,
	row_duplicate: 0,
	row_failed: 0,
	row_parked: 0,
	brief_ordered: 0,
	brief_accepted: 0,
	brief_status: 0,
	brief_ready: 0,
	waiting: 0,
	waiting_for_slot: 0,
	others_running: 0,
	row_not_restarted: 0,
};

test('the schema has each event, and no other', () => {
	const named = eventSchema.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', ''));
	expect(named.sort()).toEqual(Object.keys(EVENTS).sort());
	for (const name of named)
		expect(eventSchema.$defs[name]).toMatchObject({ properties: { event: { const: name } } });
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
	const check = new Ajv2020({ strict: false, validateFormats: false }).compile(eventSchema);
	expect(check({ ...notice, later: 1 })).toBe(true);
	expect(check({ ...notice, text: 1 })).toBe(false);
});
