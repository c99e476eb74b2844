/** The fields from which the sandbox writes a brief. openapi.yaml has every field of create_brief. */
export interface BriefInput {
	product_name: string;
	product_id?: string;
	audience?: string;
	objective?: string;
	approved_facts?: string;
	campaign_terms?: string;
	creative_direction?: string;
	reference_urls?: string[];
}

/** docs/api.md section 2.2 leaves the keys of a document open. */
export interface BriefDocument {
	mission: string;
	audience: string;
	talking_points: string[];
	angles: Array<{ name: string; hook: string; why: string; outline: string[] }>;
	shots: Array<{ shot: string; seconds: number; purpose: string }>;
	do: string[];
	dont: string[];
}

/** docs/api.md section 2.2 leaves the items of `sources` open. */
export interface Source {
	type: 'product' | 'video' | 'page';
	title: string;
	url: string;
}

export interface WrittenBrief {
	title: string;
	document: BriefDocument;
	markdown: string;
	sources: Source[];
	warnings: Array<{ code: string; message: string }>;
}
