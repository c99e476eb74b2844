import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE } from '../process';
import { median } from '../table';

/** How long a Node process takes that does nothing, in milliseconds: now and then while the batches run. */
export async function emptyProcess(): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < 9; round += 1) {
		await sleep(5000);
		const start = Date.now();
		await once(spawn(NODE, ['-e', '0'], { stdio: 'ignore' }), 'exit');
		times.push(Date.now() - start);
	}
	return median(times);
}
