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

/** A local stand-in for a service of another vendor. */
export interface Vendor {
	hosts: readonly string[];
	answer(request: VendorRequest): VendorAnswer;
}

/** Returns the token of the Authorization header. */
export function getBearerToken({ headers }: VendorRequest): string | undefined {
	return /^Bearer (.+)$/.exec(String(headers['authorization']))?.[1];
}
