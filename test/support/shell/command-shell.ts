import { spawn } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { briefBatch, repositoryRoot } from '../../../harness/paths';
import type { Sandbox } from '../../../sandbox/sandbox';
import { makeProducts, QUICK } from '../client-folder';
import { IN_FAST_TIME, startFastSandbox, type FastClock } from '../fast-clock/fast-sandbox';
import { followProcess } from '../running-process';

/** Programs that cannot do their work in a test: it is only checked that they are given files which are there. */
const PRETENDED = [
	'crontab',
	'docker',
	'journalctl',
	'kubectl',
	'systemctl',
	'useradd',
	'chown',
] as const;

interface ShellResult {
	code: number | null;
	/** Both outputs of the shell. */
	text: string;
	/** What brief-batch was started with, and how it ended. */
	runs: Array<{ code: number; args: string }>;
}

/**
 * A shell for the commands that documents and examples show. brief-batch works on a sandbox, npm only checks that there is
 * such a script, and /srv/briefs and /etc are in a folder of its own.
 */
export class CommandShell {
	readonly folder = mkdtempSync(join(tmpdir(), 'command-shell-'));
	private readonly log = join(this.folder, 'runs.log');

	private constructor(
		readonly sandbox: Sandbox,
		private readonly clock: FastClock,
		goodCodes: readonly number[],
	) {
		mkdirSync(join(this.folder, 'bin'));
		mkdirSync(join(this.folder, 'etc/systemd/system'), { recursive: true });
		cpSync(join(repositoryRoot, 'examples'), join(this.folder, 'examples'), { recursive: true });
		this.write('products.csv', makeProducts(2).join('\n'));
		this.write('examples/products.csv', makeProducts(2).join('\n'));
		for (const client of ['examples/schedules', 'srv/briefs/acme'])
			this.write(`${client}/client.env`, this.profile());
		this.write('srv/briefs/acme/products.csv', makeProducts(2).join('\n'));
		this.program('brief-batch', this.briefBatch(goodCodes));
		this.program('npx', '[ "$1" = creator-briefing-batch ] && shift && exec brief-batch "$@"');
		this.program('npm', this.npm());
		this.program('sudo', 'exec "$@"');
		for (const name of PRETENDED) this.program(name, CHECK_FILES);
	}

	/** @param goodCodes the exit codes of brief-batch after which a script goes on; the others end it */
	static async open(goodCodes: readonly number[] = [0]): Promise<CommandShell> {
		const { sandbox, clock } = await startFastSandbox(QUICK);
		return new CommandShell(sandbox, clock, goodCodes);
	}

	/** Runs a script in this folder, or in the one that is named. */
	async run(script: string, cwd = '.', env: Record<string, string> = {}): Promise<ShellResult> {
		const child = spawn('sh', ['-euc', this.moved(script)], {
			cwd: join(this.folder, this.moved(cwd).replace(this.folder, '')),
			env: {
				...process.env,
				...env,
				PATH: `${join(this.folder, 'bin')}:${process.env.PATH ?? ''}`,
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const { code, out, err } = await followProcess(child).ended;
		return { code, text: out + err, runs: this.runs() };
	}

	/** The text with the paths of a server in this folder. */
	moved(text: string): string {
		return text.replace(/(?<![\w.])\/(srv|etc)\//g, `${this.folder}/$1/`);
	}

	write(path: string, text: string): void {
		const file = join(this.folder, path);
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, `${text}\n`);
	}

	read(path: string): string {
		return readFileSync(join(this.folder, path), 'utf8');
	}

	async close(): Promise<void> {
		await this.sandbox.close();
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** The example's profile, for the sandbox. */
	private profile(): string {
		return readFileSync(join(repositoryRoot, 'examples/schedules/client.env'), 'utf8')
			.replace(/^(CREATOR_BRIEFING_BASE_URL)=.*$/m, `$1=${this.sandbox.url}`)
			.replace(/^(CREATOR_BRIEFING_API_KEY)=.*$/m, `$1=${this.sandbox.keys.allScopes}`);
	}

	private runs(): ShellResult['runs'] {
		if (!existsSync(this.log)) return [];
		const lines = readFileSync(this.log, 'utf8').trim().split('\n');
		rmSync(this.log);
		return lines.map((line) => {
			const [code = '', ...args] = line.split(' ');
			return { code: Number(code), args: args.join(' ') };
		});
	}

	private program(name: string, script: string): void {
		const file = join(this.folder, 'bin', name);
		writeFileSync(file, `#!/bin/sh\n${script}\n`);
		chmodSync(file, 0o755);
	}

	private briefBatch(goodCodes: readonly number[]): string {
		return [
			...Object.entries(this.clock.env).map(([name, value]) => `export ${name}=${value}`),
			`export CREATOR_BRIEFING_BASE_URL='${this.sandbox.url}'`,
			`export CREATOR_BRIEFING_API_KEY='${this.sandbox.keys.allScopes}'`,
			`code=0; '${process.execPath}' ${IN_FAST_TIME.join(' ')} '${briefBatch}' "$@" || code=$?`,
			`echo "$code $*" >> '${this.log}'`,
			`case $code in ${goodCodes.join('|')}) exit 0 ;; *) exit $code ;; esac`,
		].join('\n');
	}

	/** `npm run x` if package.json has x, and the commands that npm has of its own. */
	private npm(): string {
		const manifest = readFileSync(join(repositoryRoot, 'package.json'), 'utf8');
		const scripts = Object.keys((JSON.parse(manifest) as { scripts: object }).scripts);
		return [
			'case "$1" in run) verb="run $2" ;; *) verb="$1" ;; esac',
			`case "$verb" in ${scripts.map((name) => `"run ${name}"`).join('|')}|start|test|install|pack) ;;`,
			'*) echo "npm has no script for: $verb" >&2; exit 1 ;; esac',
		].join('\n');
	}
}

const CHECK_FILES = [
	'for word in "$@"; do',
	'	file=${word#*=}',
	'	case $file in examples/*|/*/*)',
	'		[ -e "${file%%:*}" ] || { echo "There is no $file" >&2; exit 1; } ;;',
	'	esac',
	'done',
].join('\n');
