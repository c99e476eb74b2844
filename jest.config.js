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
	// They use bash, script and setpriv.
	testPathIgnorePatterns: [
		'/node_modules/',
		...(process.platform === 'linux' ? [] : ['test/batch/process/']),
	],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/batch/dist', '<rootDir>/.cache'],
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
};
