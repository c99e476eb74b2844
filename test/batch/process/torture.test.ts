import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../../../sandbox/random';
import type { SandboxOptions } from '../../../sandbox/sandbox';
import {
	makeProducts,
	openClientFolder,
	openSecondFolder,
	type ClientFolder,
} from '../../support/client-folder';
import { isTorture } from '../../support/long-run';
import type { ProcessResult } from '../../support/running-process';
import { waitUntil } from '../../support/wait-until';

/** TORTURE=1 kills hundreds of runs. TORTURE_SEED repeats the times and faults as closely as real processes permit. */
const KILLS = Number(process.env.TORTURE_KILLS ?? (isTorture ? 400 : 4));
const KILLS_PER_ROUND = 25;
const SEED = process.env.TORTURE_SEED ?? String(Date.now());

jest.setTimeout(isTorture ? 3_600_000 : 120_000);

/**
 * The sandbox would run nine briefs, so that only brief-batch keeps to two (P4). At this speed a key is trusted for 17
 * seconds: on a busy machine the next run can begin several seconds after a kill.
 */
const WORKSPACE: SandboxOptions = { allowance: 10_000, slots: 9, speed: 200 };

const run = (folder: ClientFolder) => folder.run('run products.csv');

/** Repeats the run while rows are left. */
async function runUntilComplete(folder: ClientFolder): Promise<ProcessResult> {
	let end = await run(folder);
	for (let runs = 0; [1, 3, 5].includes(end.code ?? 0) && runs < 8; runs += 1)
		end = await run(folder);
	return end;
}

/**
 * Starts a run and kills it: at any moment from its start, or soon after any of its requests.
 * @returns whether it was alive when it was killed
 */
async function killAtRandom(folder: ClientFolder, dice: Random): Promise<boolean> {
	const running = folder.start('run products.csv');
	let end: ProcessResult | undefined;
	void running.ended.then((ended) => (end = ended));
	if (dice.chance(0.3)) await sleep(dice.int(0, 900));
	else {
		const requests = folder.sandbox.requests.length + dice.int(1, 30);
		const wait = dice.pick([0, 0, dice.int(0, 5), dice.int(0, 60)]);
		await waitUntil(() => end !== undefined || folder.sandbox.requests.length >= requests);
		await sleep(wait);
	}
	const wasAlive = end === undefined;
	const { code, out, err } = await running.kill();
	// Exit codes of a run that ended before the kill: everything is ready, or a fault stopped it.
	if (code !== null && ![0, 1, 3, 5].includes(code))
		throw new Error(`Exit code ${code}\n${out}${err}`);
	return wasAlive && code === null;
}

/** Draws the service's behavior where docs/api.md leaves it open. Its keys live for a day, longer than any round. */
function drawService(dice: Random): SandboxOptions {
	return {
		seed: dice.int(0, 1e9),
		faults: dice.pick([
			'create_brief/reset-after:0.3',
			'create_brief/cut:0.2,create_brief/broken-json:0.2',
			'create_brief/5xx-after:0.2,reset-after:0.1',
			'default',
			'create_brief/slow-after:0.3,reset-before:0.05',
		]),
		listLagMs: dice.pick([0, 0, 5_000, 60_000]),
		usedThisMonth: dice.pick(['true-count', 'zero']),
		inputShape: dice.pick(['as-submitted', 'as-submitted', 'empty']),
	};
}

async function torture(kills: number, dice: Random): Promise<void> {
	const rows = kills * 2;
	const folder = await openClientFolder(rows, { ...WORKSPACE, ...drawService(dice) });
	for (let starts = 0, killed = 0; killed < kills && starts < kills * 2; starts += 1) {
		if (await killAtRandom(folder, dice)) killed += 1;
		expect(folder.findFaults({ isUnfinished: true })).toEqual([]);
	}
	const { code, out, err } = await runUntilComplete(folder);
	expect([code, out + err]).toEqual([0, expect.stringContaining(`${rows} ready`)]);
	expect(folder.findFaults()).toEqual([]);
	expect(folder.statuses()).toEqual(Array.from({ length: rows }, () => 'ready'));
	expect(folder.sandbox.createdCount()).toBe(rows);
	expect(folder.sandbox.maxRunning()).toBeLessThanOrEqual(2);
}

test(`orders each product once and loses no brief when it is killed at ${KILLS} random moments`, async () => {
	console.info(`TORTURE_SEED=${SEED}`);
	for (let round = 0; round * KILLS_PER_ROUND < KILLS; round += 1) {
		const kills = Math.min(KILLS_PER_ROUND, KILLS - round * KILLS_PER_ROUND);
		try {
			await torture(kills, createRandom(SEED, 'round', round));
		} catch (error) {
			const repeat = `TORTURE_SEED=${SEED} TORTURE_KILLS=${KILLS}, round ${round}`;
			throw new Error(repeat, { cause: error });
		}
	}
});

test('orders each product once when two folders with other file names run at the same time', async () => {
	// The list shows a brief so late that only the key prevents a second brief.
	const first = await openClientFolder(4, {
		speed: 200,
		listLagMs: 90_000,
		slots: 9,
		faults: 'create_brief/reset-after:0.2,create_brief/slow-before:0.3',
	});
	const second = openSecondFolder(first);
	second.writeCsv('list.csv', makeProducts(4));
	const startBoth = () => Promise.all([run(first), second.run('run list.csv --allow new-folder')]);
	let ends = await startBoth();
	for (let runs = 0; ends.some(({ code }) => code !== 0) && runs < 5; runs += 1)
		ends = await startBoth();
	expect(ends.map(({ code }) => code)).toEqual([0, 0]);
	expect(first.sandbox.createdCount()).toBe(4);
	const getIds = (folder: ClientFolder) => folder.results().map(({ brief_id }) => brief_id);
	expect(getIds(second)).toEqual(getIds(first));
});

test('lets one of three runs work in a folder, and the others end with 6', async () => {
	const folder = await openClientFolder(3, { speed: 100 });
	const killed = folder.start('run products.csv');
	await killed.waitForOutput(/ordered/);
	await killed.kill();
	const ends = await Promise.all([1, 2, 3].map(() => run(folder)));
	expect(ends.map(({ code }) => code).sort()).toEqual([0, 6, 6]);
	expect(folder.findFaults()).toEqual([]);
	expect(folder.sandbox.createdCount()).toBe(3);
	expect(folder.exists('briefs/.lock')).toBe(false);
});
