const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
	// Four workers on two cores: many tests wait for a process or a brief, and another file works meanwhile. As a number,
	// because jest takes no more than 100 % for a share of the cores.
	maxWorkers: 2 * availableParallelism(),
	// Jest's own five seconds are too few for some tests where others use the machine too.
	testTimeout: 30_000,
	// Jest asks for a global in a way that takes hundreds of times as long as elsewhere; these come to each module as
	// parameters. Not Date, nor the timers: some tests replace them.
	sandboxInjectedGlobals: [
		...['Array', 'Error', 'Infinity', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Set'],
		'String',
	],
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// What only Linux has, namespaces and /proc, tells a lock whose process it is.
	testPathIgnorePatterns: [
		'/node_modules/',
		...(process.platform === 'linux' ? [] : ['/process/lock\\.test', '/lock/holder\\.test']),
	],
	modulePathIgnorePatterns: [
		'<rootDir>/dist',
		'<rootDir>/batch/dist',
		'<rootDir>/batch-next/dist',
		'<rootDir>/.cache',
	],
	// A command is loaded with import(), for which Node wants the ending of the compiled file.
	moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
	transform: {
		'^.+\\.(ts|js|mjs)$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	// These come as ES modules only, which jest's CommonJS loader cannot read unchanged.
	transformIgnorePatterns: [
		'/node_modules/(?!(p-limit|yocto-queue|fast-string-truncated-width|@apidevtools)/)',
	],
	// The heart and the journal, for `npm run unit -- --coverage`: their own tests alone, so that lines that only the tests
	// of other folders run through are not counted as tested.
	collectCoverageFrom: ['service/**/*.ts', 'batch/folder/journal/**/*.ts'],
	coverageDirectory: '.cache/coverage',
	coverageReporters: ['text', 'json-summary'],
	coverageThreshold: { global: { lines: 95, branches: 95 } },
};
