import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { installedNode } from '../../../harness/install/node-runtime';
import type { Sandbox } from '../../../sandbox/sandbox';
import { readEvents } from './event-schema';

const BIN = resolve(__dirname, '../../../batch/dist/batch/bin.js');

const NODE = installedNode();

export interface Ended {
	code: number | null;
	out: string;
	err: string;
}

export interface Running {
	child: ChildProcess;
	ended: Promise<Ended>;
	/** Resolves when the standard output has this text. */
	said(text: string | RegExp): Promise<void>;
}

/**
 * Starts brief-batch as a process of its own.
 * @param via a command and its arguments that start it in their turn: `bash -c 'ulimit …; exec "$@"'`
 */
export function startBatch(
	args: string[],
	env: Record<string, string | undefined>,
	cwd: string,
	via: string[] = [],
): Running {
	const [command = NODE, ...rest] = [...via, NODE, BIN, ...args];
	const child = spawn(command, rest, {
		cwd,
		env: { PATH: process.env.PATH, TZ: 'America/New_York', ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const text = { out: '', err: '' };
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text.out += chunk));
	child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text.err += chunk));
	const ended = new Promise<Ended>((done, fail) =>
		child.on('close', (code) => {
			try {
				if (/^(run|retry)$/.test(args[0] ?? '') && args.includes('--json'))
					readEvents(text.out, code);
				done({ code, ...text });
			} catch (error) {
				fail(error instanceof Error ? error : new Error(String(error)));
			}
		}),
	);
	const said = (wanted: string | RegExp) =>
		new Promise<void>((done, fail) => {
			const check = () => {
				if (typeof wanted === 'string' ? text.out.includes(wanted) : wanted.test(text.out)) done();
			};
			child.stdout.on('data', check);
			check();
			void ended.then(() =>
				fail(new Error(`It ended without saying ${String(wanted)}:\n${text.out}${text.err}`)),
			);
		});
	return { child, ended, said };
}

/** A folder of its own with a CSV in it, and brief-batch pointed at a sandbox. */
export class Desk {
	readonly folder = mkdtempSync(join(tmpdir(), 'brief-batch-'));

	constructor(private readonly sandbox: Pick<Sandbox, 'url' | 'keys'>) {}

	csv(name: string, lines: string[]): string {
		writeFileSync(join(this.folder, name), `${lines.join('\n')}\n`);
		return name;
	}

	start(args: string[], env: Record<string, string | undefined> = {}, via: string[] = []): Running {
		const own = {
			CREATOR_BRIEFING_BASE_URL: this.sandbox.url,
			CREATOR_BRIEFING_API_KEY: this.sandbox.keys.allScopes,
		};
		return startBatch(args, { ...own, ...env }, this.folder, via);
	}

	run(
		args: string[],
		env: Record<string, string | undefined> = {},
		via: string[] = [],
	): Promise<Ended> {
		return this.start(args, env, via).ended;
	}

	read(path: string): string {
		return readFileSync(join(this.folder, path), 'utf8');
	}

	exists(path: string): boolean {
		return existsSync(join(this.folder, path));
	}

	results(outDir = 'briefs'): Array<Record<string, string>> {
		return parse(this.read(join(outDir, 'results.csv')), { columns: true, bom: true });
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** So many believable rows, all different. */
export function products(n: number): string[] {
	const rows = Array.from(
		{ length: n },
		(_, i) => `Product ${i + 1},${String(1_729_000_000 + i)},SKU-${i + 1}`,
	);
	return ['Product Name,Product ID,SKU', ...rows];
}

/** Looks as often as a test can bear: intervals of the sandbox's fast time. */
export const FAST = ['--poll-interval', '0.05', '--poll-interval-max', '0.1'];
