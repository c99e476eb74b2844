import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox';
import { DAY, START } from '../support/sandbox/bench';

const open: Sandbox[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

async function start(options: SandboxOptions): Promise<Sandbox> {
	const sandbox = await startSandbox({ failureShare: 0, startAt: START, ...options });
	open.push(sandbox);
	return sandbox;
}

function create(sandbox: Sandbox): Promise<Response> {
	return fetch(`${sandbox.url}/briefs`, {
		method: 'POST',
		headers: {
			Authorization: `Bearer ${sandbox.keys.allScopes}`,
			'Content-Type': 'application/json',
		},
		body: '{"product_name":"Lamp"}',
	});
}

const real = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the clock of the sandbox', () => {
	it('runs as fast as its speed says', async () => {
		const sandbox = await start({ speed: 1000 });
		const response = await create(sandbox);
		const { created_at: created } = (await response.json()) as { created_at: string };
		expect(Date.parse(created)).toBeGreaterThanOrEqual(START);
		expect(Date.parse(created)).toBeLessThanOrEqual(sandbox.now());
		await real(400);
		expect(sandbox.briefs()[0]?.status).toBe('ready');
		expect(sandbox.now() - START).toBeGreaterThan(400_000);
	});

	it('starts at the real time and runs as fast as that when nothing is said', async () => {
		const sandbox = await startSandbox();
		open.push(sandbox);
		expect(Math.abs(sandbox.now() - Date.now())).toBeLessThan(1000);
		const response = await create(sandbox);
		expect(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())).toBeLessThan(
			3000,
		);
	});

	it.each([
		['seconds', 1, 30],
		['seconds', 60, 1],
		['seconds', 12, 3],
		['date', 12, 3],
		['date', 100_000, 1],
	] as const)(
		'hints at waits in the client’s seconds: %s at speed %i',
		async (retryAfter, speed, wait) => {
			const sandbox = await start({ speed, retryAfter });
			sandbox.addBrief({ durationMs: 365 * DAY });
			sandbox.addBrief({ durationMs: 365 * DAY });
			const { status, headers } = await create(sandbox);
			expect(status).toBe(429);
			const hint = headers.get('retry-after') ?? '';
			const seconds =
				retryAfter === 'seconds'
					? Number(hint)
					: (Date.parse(hint) - Date.parse(headers.get('date') ?? '')) / 1000;
			expect(seconds).toBe(wait);
			expect(headers.get('ratelimit-reset')).toBe(String(wait));
		},
	);

	it('cannot be moved from here when it was injected', async () => {
		const sandbox = await start({ clock: { now: () => START } });
		expect(() => sandbox.advance(1)).toThrow('injected clock');
		expect(sandbox.now()).toBe(START);
	});
});

describe('many sandboxes in one process', () => {
	it('know nothing of each other', async () => {
		const [one, other] = [await start({ allowance: 1 }), await start({})];
		await create(one);
		expect(one.createdCount()).toBe(1);
		expect(other.createdCount()).toBe(0);
		expect(other.requests).toEqual([]);
		expect(other.options.allowance).toBe(100);
	});
});
