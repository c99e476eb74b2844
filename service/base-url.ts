/** Whether an address is on this machine: there a sandbox listens, and no key can be overheard. */
export function isLoopback(address: string): boolean {
	return /^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i.test(address);
}

/** The base address without the slashes that people paste behind it. */
export function cleanBaseUrl(address: string): string {
	return address.trim().replace(/\/+$/, '');
}
