import type { Sandbox } from '../sandbox/sandbox';

/** The peer: two workers, each orders a brief and gets it at a fixed interval until it has ended. */
export async function plainPoll(
	sandbox: Sandbox,
	briefs: number,
	intervalMs: number,
): Promise<void> {
	const headers = {
		authorization: `Bearer ${sandbox.keys.allScopes}`,
		'content-type': 'application/json',
	};
	let next = 0;
	const worker = async () => {
		while (next < briefs) {
			next += 1;
			const body = JSON.stringify({ product_name: `Product ${next}` });
			const created = await fetch(`${sandbox.url}/briefs`, { method: 'POST', headers, body });
			let brief = (await created.json()) as { id: string; status: string };
			while (brief.status !== 'ready' && brief.status !== 'failed') {
				await new Promise((done) => setTimeout(done, intervalMs));
				const answer = await fetch(`${sandbox.url}/briefs/${brief.id}`, { headers });
				brief = (await answer.json()) as { id: string; status: string };
			}
		}
	};
	await Promise.all([worker(), worker()]);
}
