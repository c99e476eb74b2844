import type { Switches } from './switches';

/** Programs use the service over one of these two (docs/api.md section 2.1). */
export type Channel = 'api' | 'mcp';

/** The channels of the licence for Creator Briefs; undefined if the workspace has none. */
export const briefChannels: Readonly<
	Record<Switches['licence'], readonly (Channel | 'web')[] | undefined>
> = {
	full: ['web', 'api', 'mcp'],
	'no-api-channel': ['web'],
	'no-mcp-channel': ['web', 'api'],
	missing: undefined,
};
