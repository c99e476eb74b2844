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
import { FAST_TIME_ARGS, startFastSandbox, type FastClock } from '../fast-clock/fast-sandbox';
import { followProcess } from '../running-process';

/** Programs that cannot run in a test. Their stubs only check that the files in their arguments exist. */
const STUBBED_PROGRAMS = [
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
	/** Standard output and standard error. */
	text: string;
	/** The exit code and the arguments of each run of brief-batch. */
	runs: Array<{ code: number; args: string }>;
}

/**
 * Runs the commands that documents and examples show, in a temporary folder that contains the examples, /srv and /etc.
 * brief-batch uses a sandbox. npm only checks that package.json has the script.
 *
 *     const shell = await CommandShell.open();
 *     const { code, text, runs } = await shell.run('brief-batch plan products.csv');
 */
export class CommandShell {
	readonly folder = mkdtempSync(join(tmpdir(), 'command-shell-'));
	private readonly log = join(this.folder, 'runs.log');

	private constructor(
		readonly sandbox: Sandbox,
		private readonly clock: FastClock,
		acceptedCodes: readonly number[],
	) {
		mkdirSync(join(this.folder, 'bin'));
		mkdirSync(join(this.folder, 'etc/systemd/system'), { recursive: true });
		cpSync(join(repositoryRoot, 'examples'), join(this.folder, 'examples'), { recursive: true });
		this.write('products.csv', makeProducts(2).join('\n'));
		this.write('examples/products.csv', makeProducts(2).join('\n'));
		for (const client of ['examples/schedules', 'srv/briefs/acme'])
			this.write(`${client}/client.env`, this.makeProfile());
		this.write('srv/briefs/acme/products.csv', makeProducts(2).join('\n'));
		this.addProgram('brief-batch', this.makeBriefBatchScript(acceptedCodes));
		this.addProgram('npx', '[ "$1" = creator-briefing-batch ] && shift && exec brief-batch "$@"');
		this.addProgram('npm', this.makeNpmScript());
		this.addProgram('sudo', 'exec "$@"');
		for (const name of STUBBED_PROGRAMS) this.addProgram(name, CHECK_FILES);
	}

	/** @param acceptedCodes the exit codes of brief-batch after which a script continues */
	static async open(acceptedCodes: readonly number[] = [0]): Promise<CommandShell> {
		const { sandbox, clock } = await startFastSandbox(QUICK);
		return new CommandShell(sandbox, clock, acceptedCodes);
	}

	/** Runs a script in the folder, or in a folder below it. */
	async run(script: string, cwd = '.', env: Record<string, string> = {}): Promise<ShellResult> {
		const child = spawn('sh', ['-euc', this.replaceServerPaths(script)], {
			cwd: join(this.folder, this.replaceServerPaths(cwd).replace(this.folder, '')),
			env: {
				...process.env,
				...env,
				PATH: `${join(this.folder, 'bin')}:${process.env.PATH ?? ''}`,
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		const { code, out, err } = await followProcess(child).ended;
		return { code, text: out + err, runs: this.takeRuns() };
	}

	/** Returns the text with /srv and /etc in the folder. */
	private replaceServerPaths(text: string): string {
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

	/** Returns the example's profile with the address and the key of the sandbox. */
	private makeProfile(): string {
		return readFileSync(join(repositoryRoot, 'examples/schedules/client.env'), 'utf8')
			.replace(/^(CREATOR_BRIEFING_BASE_URL)=.*$/m, `$1=${this.sandbox.url}`)
			.replace(/^(CREATOR_BRIEFING_API_KEY)=.*$/m, `$1=${this.sandbox.keys.allScopes}`);
	}

	/** Returns the runs since the last call. */
	private takeRuns(): ShellResult['runs'] {
		if (!existsSync(this.log)) return [];
		const lines = readFileSync(this.log, 'utf8').trim().split('\n');
		rmSync(this.log);
		return lines.map((line) => {
			const [code = '', ...args] = line.split(' ');
			return { code: Number(code), args: args.join(' ') };
		});
	}

	private addProgram(name: string, script: string): void {
		const file = join(this.folder, 'bin', name);
		writeFileSync(file, `#!/bin/sh\n${script}\n`);
		chmodSync(file, 0o755);
	}

	private makeBriefBatchScript(acceptedCodes: readonly number[]): string {
		return [
			...Object.entries(this.clock.env).map(([name, value]) => `export ${name}=${value}`),
			`export CREATOR_BRIEFING_BASE_URL='${this.sandbox.url}'`,
			`export CREATOR_BRIEFING_API_KEY='${this.sandbox.keys.allScopes}'`,
			`code=0; '${process.execPath}' ${FAST_TIME_ARGS.join(' ')} '${briefBatch}' "$@" || code=$?`,
			`echo "$code $*" >> '${this.log}'`,
			`case $code in ${acceptedCodes.join('|')}) exit 0 ;; *) exit $code ;; esac`,
		].join('\n');
	}

	/** Accepts the scripts of package.json and npm's built-in commands. */
	private makeNpmScript(): string {
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
