/** An http or https address that is safe to link to, or null: no javascript:, data:, file: and the like. */
export function safeWebAddress(text: string | null): string | null {
	if (text === null || !/^https?:\/\//i.test(text)) return null;
	try {
		const url = new URL(text);
		// A user name can make the host look like another: https://vendor.com@evil.example
		return url.username === '' && url.password === '' ? url.href : null;
	} catch {
		return null;
	}
}
