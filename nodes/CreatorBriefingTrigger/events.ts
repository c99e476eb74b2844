import type { IPollFunctions } from 'n8n-workflow';
import type { Brief } from '../../service/resources';
import type { BriefingService } from '../../service/service';
import { hookQuery } from '../shared/hooks';
import { findFinished, recentBriefs } from './brief-finished';
import { findRefresh, recentHooks } from './hooks-refreshed';
import { simpleBrief } from '../shared/simplify';
import type { PollResult, StartMark } from './state';

export const EVENTS = ['hooksRefreshed', 'briefFinished'] as const;
export type EventName = (typeof EVENTS)[number];

/** What a trigger can wait for, with its parameters read. */
export interface PolledEvent {
	/** Polls once. Without a state it is the first time, and only takes the point to start from. */
	find(service: BriefingService, state: StartMark | undefined): Promise<PollResult<StartMark>>;
	/** Recent data for a test in the editor. */
	recent(service: BriefingService): Promise<object[]>;
	/** What to say in a test where there is none. */
	nothing: { message: string; description: string };
}

/** @param deadline time of this machine's clock until which a poll may ask for briefs one by one */
export function eventOf(context: IPollFunctions, name: EventName, deadline: number): PolledEvent {
	const isSimple = context.getNodeParameter('simplify') === true;
	if (name === 'briefFinished') {
		const shaped = (briefs: Brief[]) => (isSimple ? briefs.map(simpleBrief) : briefs);
		return {
			find: async (service, state) => {
				const found = await findFinished(service, state, deadline);
				return { ...found, items: shaped(found.items) };
			},
			recent: async (service) => shaped(await recentBriefs(service, deadline)),
			nothing: {
				message: 'The workspace has no finished brief yet',
				description:
					'Create one first, with the Creator Briefing node or in the vendor’s web app, and test again when it is ready.',
			},
		};
	}
	const { sort, q, limit } = context.getNodeParameter('options') as {
		sort?: string;
		q?: string;
		limit?: number;
	};
	const categories = context.getNodeParameter('categories');
	const settings = {
		query: hookQuery(context.getNode(), { categories, sort, q, limit }),
		output: context.getNodeParameter('output') as 'hooks' | 'refresh',
		onlyNewHooks: context.getNodeParameter('onlyNewHooks') === true,
		isSimple,
	};
	return {
		find: (service, state) => findRefresh(service, settings, state),
		recent: (service) => recentHooks(service, settings),
		nothing: {
			message: 'There are no hooks for these settings',
			description: "Remove 'Search' or some of the 'Categories', and test again.",
		},
	};
}
