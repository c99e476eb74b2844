const n8n = require('./jest.n8n.config');

/**
 * `npm run test:harness`: what drives a real n8n, tried on n8n's own nodes and a community package of two files; and the
 * report of a batch in Chromium.
 */
module.exports = {
	...n8n,
	testMatch: ['<rootDir>/test/harness/**/*.smoke.ts', '<rootDir>/test/batch/**/*.smoke.ts'],
};
