const n8n = require('./jest.n8n.config');

/** `npm run test:queue`: the built package in an n8n in queue mode, with Redis and PostgreSQL. */
module.exports = {
	...n8n,
	testMatch: ['<rootDir>/test/queue/**/*.queue.test.ts'],
	globalSetup: '<rootDir>/test/support/queue/needs-programs.ts',
};
