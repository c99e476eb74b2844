const base = require('./jest.config');

/** The tests that take minutes and use the whole machine, one file after the other: a script starts those of a folder. */
module.exports = {
	...base,
	testMatch: ['<rootDir>/test/**/*.slow.ts'],
	testTimeout: 120_000,
	maxWorkers: 1,
};
