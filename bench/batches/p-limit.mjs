// The peer: a script like those in tutorials. p-limit keeps two briefs running. axios orders each brief and polls it every
// POLL_SECONDS until it has ended. A product with a file is skipped.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import pLimit from 'p-limit';

const { CREATOR_BRIEFING_BASE_URL, CREATOR_BRIEFING_API_KEY, POLL_SECONDS } = process.env;
const api = axios.create({
	baseURL: CREATOR_BRIEFING_BASE_URL,
	headers: { Authorization: `Bearer ${CREATOR_BRIEFING_API_KEY}` },
});

async function create(product) {
	for (;;) {
		try {
			return await api.post('/briefs', { product_name: product });
		} catch (error) {
			if (error.response?.status !== 429) throw error;
			await sleep(Number(error.response.headers['retry-after']) * 1000);
		}
	}
}

async function writeBrief(product) {
	if (existsSync(`${product}.md`)) return;
	let { data } = await create(product);
	while (data.status !== 'ready' && data.status !== 'failed') {
		await sleep(POLL_SECONDS * 1000);
		({ data } = await api.get(`/briefs/${data.id}`));
	}
	writeFileSync(`${product}.md`, data.markdown ?? '');
}

const limit = pLimit(2);
const products = readFileSync('products.csv', 'utf8').trim().split('\n').slice(1);
await Promise.all(products.map((product) => limit(() => writeBrief(product))));
