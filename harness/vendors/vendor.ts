/** A request that a stand-in was sent, as the tests look at it. */
export interface VendorRequest {
	method: string;
	host: string;
	path: string;
	query: URLSearchParams;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed, if it was JSON or a form. */
	body: unknown;
}

export interface VendorAnswer {
	status?: number;
	body: unknown;
	/** Sent one by one as server-sent events, instead of a body. */
	events?: object[];
}

/** A local stand-in of somebody else's service: the hosts it answers for, and its answers. */
export interface Vendor {
	hosts: readonly string[];
	answer(request: VendorRequest): VendorAnswer;
}

export function bearerOf({ headers }: VendorRequest): string | undefined {
	const header = headers['authorization'];
	return typeof header === 'string' && header.startsWith('Bearer ') ? header.slice(7) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
