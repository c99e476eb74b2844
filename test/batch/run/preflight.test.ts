import { Records } from '../../../batch/journal/records';
import { preflight } from '../../../batch/run/preflight';
import { BriefingService } from '../../../service/service';
import { MemoryService } from '../../support/memory-service';
import { VirtualClock } from '../../support/virtual-clock';

const REQUEST = {
	interval: { shortest: 15_000, longest: 30_000 },
	baseUrl: 'https://api.example/v1',
};

describe('what is asked before a run', () => {
	test('may be interrupted while the licences are on their way and the list is not: that is no fault of the program', async () => {
		const clock = new VirtualClock();
		const memory = new MemoryService(clock);
		const interruption = new AbortController();
		const service = new BriefingService(async (request, signal) => {
			if (request.operation === 'list_briefs') return { status: 503, headers: {}, body: '' };
			await clock.sleep(1_000);
			interruption.abort();
			// Unlike the wait of the list, it ends later.
			await clock.sleep(1_000);
			return memory.send(request, signal);
		}, clock);
		const env = { service, clock, interruption: interruption.signal };
		const begun = preflight(REQUEST, env, new Records());
		await expect(begun).rejects.toMatchObject({ name: 'AbortError' });
	});
});
