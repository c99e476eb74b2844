const n8n = require('./jest.n8n.config');

/** `npm run test:harness`: the packages as they are published, the examples as their tools read them, a report in Chromium. */
module.exports = {
	...n8n,
	testMatch: ['<rootDir>/test/harness/**/*.smoke.ts', '<rootDir>/test/batch/**/*.smoke.ts'],
};
