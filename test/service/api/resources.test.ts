import { isRunning } from '../../../service/api/resources';

test.each([
	['queued', true, true],
	['researching', true, true],
	['writing', true, true],
	['checking', true, true],
	['ready', false, false],
	['failed', false, false],
	['polishing', true, false],
])('a brief that is %s runs without an end: %s, and with one: %s', (status, open, ended) => {
	expect(isRunning({ status, finished_at: null })).toBe(open);
	expect(isRunning({ status, finished_at: '2026-11-20' })).toBe(ended);
});
