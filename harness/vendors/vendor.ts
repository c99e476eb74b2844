/** A request to a stand-in. */
export interface VendorRequest {
	method: string;
	host: string;
	path: string;
	query: URLSearchParams;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed if it is JSON. */
	body: unknown;
}

export interface VendorAnswer {
	status?: number;
	body: unknown;
	/** Server-sent events, sent in place of the body. */
	events?: object[];
}

/** A local stand-in for a service: the hosts it answers for, and its answers. */
export interface Vendor {
	hosts: readonly string[];
	answer(request: VendorRequest): VendorAnswer;
}

/** Returns the token of the Authorization header. */
export function bearerOf({ headers }: VendorRequest): string | undefined {
	return /^Bearer (.+)$/.exec(String(headers['authorization']))?.[1];
}
