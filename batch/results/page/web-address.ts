import { markup, type Html } from './html';

/** A link to an address on the web that is safe to open; null for any other. */
export function webLink(address: string, text: string | Html): Html | null {
	const safe = safeWebAddress(address);
	return safe === null
		? null
		: markup`<a href="${safe}" rel="noopener noreferrer" target="_blank">${text}</a>`;
}

/** An http or https address that is safe to link to, or null: no javascript:, data:, file: and the like. */
export function safeWebAddress(text: string): string | null {
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
	const url = new URL(text);
	// A user name can make the host look like another: https://vendor.com@evil.example
	return url.username === '' && url.password === '' ? url.href : null;
}
