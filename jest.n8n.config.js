const base = require('./jest.config');

/** `npm run test:n8n`: the built package in a real n8n. Apart from the other tests, because it takes minutes. */
module.exports = {
	...base,
	testMatch: ['<rootDir>/test/n8n/**/*.n8n.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	testTimeout: 120_000,
	maxWorkers: 1,
};
