import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { Stop } from '../stop';

/** The address of a notification. Its path, parameters or password may be a secret: only `name` is ever shown. */
export interface Webhook {
	url: string;
	/** "https://hooks.slack.com/…" */
	name: string;
}

/**
 * Reads the URL of --notify.
 * @throws {Stop} that does not show it
 */
export function readWebhook(text: string): Webhook {
	const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
	if (url === null || !/^https?:$/.test(url.protocol)) {
		throw new Stop(
			'--notify takes the URL of a webhook.',
			'It looks like https://hooks.slack.com/services/… or https://n8n.example.com/webhook/…',
		);
	}
	return { url: url.href, name: `${url.protocol}//${url.host}/…` };
}

const ANSWER_TIMEOUT_MS = 10_000;
const AGAIN_AFTER_MS = 2_000;
const TRIES = 2;

/**
 * Posts a message, and tries once more if it did not arrive. No redirect is followed: the message is for this host.
 * @returns why it was not taken, or null
 */
export async function post(
	{ url }: Webhook,
	message: object,
	{ againAfter = AGAIN_AFTER_MS } = {},
): Promise<string | null> {
	let why: string | null = null;
	for (let tries = 1; tries <= TRIES; tries += 1) {
		if (tries > 1) await sleep(againAfter);
		const { problem, isFinal } = await postOnce(url, message);
		why = problem;
		if (isFinal) break;
	}
	return why;
}

async function postOnce(
	url: string,
	message: object,
): Promise<{ problem: string | null; isFinal: boolean }> {
	try {
		const { status, data } = await axios.post<Readable>(url, message, {
			maxRedirects: 0,
			responseType: 'stream',
			validateStatus: () => true,
			signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
			// A proxy would see what is sent to a private network.
			...(url.startsWith('https:') ? {} : { proxy: false as const }),
		});
		// The status alone says whether it was taken. An answer that never ends is not waited for.
		data.destroy();
		if (status >= 200 && status < 300) return { problem: null, isFinal: true };
		const isRedirect = status >= 300 && status < 400;
		const problem = isRedirect ? `it leads elsewhere (${status})` : `it answered ${status}`;
		return { problem, isFinal: status < 500 && status !== 429 };
	} catch (error) {
		// The error itself holds the URL.
		const { code = '' } = error instanceof axios.AxiosError ? error : {};
		const problem =
			code === 'ERR_CANCELED'
				? `no answer within ${ANSWER_TIMEOUT_MS / 1000} seconds`
				: `the connection failed${code === '' ? '' : ` (${code})`}`;
		return { problem, isFinal: false };
	}
}
