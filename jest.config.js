const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
	// Two workers per core, because many tests wait for a process. A number, because jest limits a share to 100 %.
	maxWorkers: 2 * availableParallelism(),
	// Jest's default of five seconds is too short on a busy machine.
	testTimeout: 30_000,
	// Looking up a global in jest's sandbox is hundreds of times slower than elsewhere, so these globals are passed to each
	// module as parameters. Date and the timers are not, because some tests replace them.
	sandboxInjectedGlobals: [
		...['Array', 'Error', 'Infinity', 'JSON', 'Map', 'Math', 'Number', 'Object', 'Promise', 'Set'],
		'String',
	],
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// Tests in test/batch/process use bash, script and setpriv.
	testPathIgnorePatterns: [
		'/node_modules/',
		...(process.platform === 'linux' ? [] : ['test/batch/process/']),
	],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/batch/dist', '<rootDir>/.cache'],
	// A command is loaded with import(), for which Node.js needs the extension of the compiled file.
	moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
	transform: {
		'^.+\\.(ts|js|mjs)$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	// These packages are ES modules, which jest's CommonJS loader cannot read unchanged.
	transformIgnorePatterns: [
		'/node_modules/(?!(p-limit|yocto-queue|fast-string-truncated-width|@apidevtools)/)',
	],
};
