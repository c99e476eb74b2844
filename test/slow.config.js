const base = require('../jest.config');

/** The tests that take minutes and use the whole machine: one file at a time, chosen by the npm scripts. */
module.exports = {
	...base,
	rootDir: '..',
	testMatch: ['<rootDir>/test/**/*.slow.ts'],
	testTimeout: 120_000,
	maxWorkers: 1,
};
