import { execFileSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { installedNode } from '../../../harness/install/node-runtime';

const DIST = resolve(__dirname, '../../../batch/dist/batch');

/** What this script says as JSON, in a Node process of its own. */
function said(script: string): unknown {
	return JSON.parse(execFileSync(installedNode(), ['-e', script], { cwd: DIST, encoding: 'utf8' }));
}

/** The files of brief-batch, and the packages, that a file loads when it is loaded itself. */
function loadedBy(file: string): string[] {
	const files = said(
		`require('./${file}'); console.log(JSON.stringify(Object.keys(require.cache)))`,
	) as string[];
	return files.map(
		(each) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(each)?.[1] ?? relative(DIST, each),
	);
}

describe('a command is quick to start, because it loads only what it needs', () => {
	test('the command line itself: no command, and no package but commander', () => {
		const loaded = loadedBy('cli/program.js');
		const packages = loaded.filter((each) => !each.endsWith('.js'));
		expect([...new Set(packages)]).toEqual(['commander']);
		for (const late of ['cli/run.js', 'cli/live-view.js', 'http.js'])
			expect(loaded).not.toContain(late);
	});

	test('plan: nothing that orders, reports or sends before it knows what to send', () => {
		const loaded = loadedBy('cli/plan.js');
		expect(loaded).toContain('csv-parse');
		for (const late of ['axios', 'markdown-it', 'run/order/row-carrier.js', 'run/lanes.js'])
			expect(loaded).not.toContain(late);
	});

	test('status: neither the CSV’s reader nor axios', () => {
		const loaded = loadedBy('cli/status.js');
		for (const late of ['axios', 'csv-parse', 'markdown-it']) expect(loaded).not.toContain(late);
	});
});

describe('axios', () => {
	const names = ['fetch', 'FormData', 'Headers', 'Request', 'Response'];

	test('is loaded without Node’s own fetch, and can send', () => {
		const axios = said(
			`const { axios } = require('./axios.js');
			const isFetchLoaded = process.moduleLoadList.some((name) => name.includes('deps/undici'));
			console.log(JSON.stringify({ isFetchLoaded, post: typeof axios.post }));`,
		);
		expect(axios).toEqual({ isFetchLoaded: false, post: 'function' });
	});

	test('leaves Node’s own fetch as it was', () => {
		const kinds = `console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => {
			const { enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
			return [name, typeof globalThis[name], enumerable, configurable];
		})))`;
		expect(said(`require('./axios.js'); ${kinds}`)).toEqual(said(kinds));
		expect(said(kinds)).toEqual(
			names.map((name) => [name, 'function', expect.any(Boolean) as boolean, true]),
		);
	});
});
