/** The body of create_brief without its idempotency key (docs/api.md section 4.3). */
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
