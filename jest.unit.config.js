const base = require('./jest.config.js');

/**
 * The heart (service/) and the journal, with their own tests alone: what coverage and mutation testing measure. Lines
 * that only the tests of other folders run through are not counted as tested.
 * @type {import('jest').Config}
 */
module.exports = {
	...base,
	testMatch: [
		'<rootDir>/test/service/**/*.test.ts',
		'<rootDir>/test/batch/folder/journal/**/*.test.ts',
	],
	// It goes through the whole machine, so that mutation testing would run it for every change.
	testPathIgnorePatterns: [...base.testPathIgnorePatterns, '/proof\\.test\\.ts$'],
	// All of them run on a virtual clock: one that takes longer hangs, and mutation testing waits for its end.
	testTimeout: 2000,
	collectCoverageFrom: ['service/**/*.ts', 'batch/folder/journal/**/*.ts'],
	coverageDirectory: '.cache/coverage',
	coverageReporters: ['text', 'json-summary'],
	coverageThreshold: { global: { lines: 95, branches: 95 } },
};
