/** A request to a stand-in. */
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

/** A local stand-in for a vendor's service: the hosts it answers for, and its answers. */
export interface Vendor {
	hosts: readonly string[];
	answer(request: VendorRequest): VendorAnswer;
}

export function bearerOf({ headers }: VendorRequest): string | undefined {
	const header = headers['authorization'];
	return typeof header === 'string' && header.startsWith('Bearer ') ? header.slice(7) : undefined;
}
