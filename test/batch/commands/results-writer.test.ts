import { ResultsWriter } from '../../../batch/commands/results-writer';
import { VirtualClock } from '../../support/virtual-clock';

function makeWriter() {
	const clock = new VirtualClock();
	const start = clock.now();
	const writes: number[] = [];
	const writer = new ResultsWriter(clock);
	const request = () => writer.request(async () => void writes.push(clock.now() - start));
	return { clock, writes, writer, request };
}

test('results of 800 rows that are reused at once are written every ten seconds, and at once after a pause', async () => {
	const { clock, writes, request } = makeWriter();
	for (let row = 0; row < 800; row += 1) {
		request();
		await clock.sleep(30);
	}
	await clock.sleep(36_000);
	request();
	await clock.sleep(1);
	expect(writes).toEqual([0, 10_000, 20_000, 30_000, 60_000]);
});

test('results are not written after the end of the run', async () => {
	const { clock, writes, writer, request } = makeWriter();
	request();
	await clock.sleep(1);
	request();
	await writer.finish();
	expect(writes).toHaveLength(1);
	expect(clock.sleeping).toBe(0);
});
