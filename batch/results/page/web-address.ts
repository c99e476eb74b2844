/** An address of the web as a link may have it, or null: javascript:, data:, file: and the like open nothing here. */
export function safeWebAddress(text: string | null): string | null {
	if (text === null || !/^https?:\/\//i.test(text)) return null;
	try {
		const url = new URL(text);
		// A name before the host is there to make the host look like another: https://vendor.com@evil.example
		return url.username === '' && url.password === '' ? url.href : null;
	} catch {
		return null;
	}
}
