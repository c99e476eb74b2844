/**
 * The tests of service/, of the journal and of the lock, and of runs, for mutation testing. It runs them once for each of some
 * thousand changes: jest would load all files anew each time, mocha keeps them. So here is what these tests use of jest, for mocha.
 */
require('tsx/cjs');
const { globSync } = require('node:fs');
const { join } = require('node:path');
const { expect } = require('expect');
const { bind } = require('jest-each');
const { ModuleMocker } = require('jest-mock');

const { describe, it, before, after } = globalThis;
Object.assign(describe, { each: bind(describe, false) });
Object.assign(it, { each: bind(it) });
const mocker = new ModuleMocker(globalThis);
Object.assign(globalThis, {
	expect,
	test: it,
	beforeAll: before,
	afterAll: after,
	jest: {
		fn: mocker.fn.bind(mocker),
		spyOn: mocker.spyOn.bind(mocker),
		// mocha has one time for all (mocharc.json).
		setTimeout: () => {},
	},
});

const root = join(__dirname, '../../..');
const FOLDERS = 'service,batch/folder/journal,batch/folder/lock,batch/order,batch/run';
for (const file of globSync(`test/{${FOLDERS}}/**/*.test.ts`, { cwd: root }))
	// It goes through all states of the whole machine, for half a minute.
	if (!file.endsWith('proof.test.ts')) require(join(root, file));
