import { nullIfNotFound } from '../api/retry';
import type { Brief } from '../api/types';
import {
	BriefCreation,
	type CreateOptions,
	type CreateRequest,
	type CreateResult,
} from '../orders/create-brief';
import { AllowanceGuard } from './allowance-guard';
import { BriefList } from './brief-list';
import { BriefPoller } from './brief-poller';
import { readWithRetries, type RequestContext } from './request-context';
import { SlotGate } from './slot-gate';

/**
 * What all orders of a process share: the brief list, the poll, and the turn to send. brief-batch has one workspace per
 * run, n8n has one per Base URL and API key.
 *
 *     order A                                order B                            requests
 *     createBrief: a slot is free, send      createBrief: waits for A           GET /briefs, POST /briefs
 *     waitUntilFinished                      the list shows A, send             GET /briefs, POST /briefs
 *                                            waitUntilFinished                  GET /briefs for both
 *     the list shows A as ready                                                 GET /briefs/A
 */
export class Workspace {
	readonly briefs = new BriefList();
	readonly poller = new BriefPoller(this.briefs, this.readBrief.bind(this));
	readonly slots = new SlotGate(this.briefs, this.poller);
	readonly allowance = new AllowanceGuard(this.briefs);

	/**
	 * Creates a brief when a slot is free. See `CreateResult` for how that can end.
	 * @throws the signal's reason. The brief might have been created if `recordRequest` was called
	 */
	async createBrief(
		request: CreateRequest,
		options: CreateOptions,
		context: RequestContext,
	): Promise<CreateResult> {
		const result = await new BriefCreation(request, options, this.slots, context).run();
		if (result.kind === 'created') this.briefs.remember([result.brief]);
		return result;
	}

	/** Fetches the full brief; null if the workspace has none with this ID. */
	async readBrief(id: string, context: RequestContext): Promise<Brief | null> {
		const request = readWithRetries(context, (client) => client.getBrief(id, context.signal));
		const brief = await nullIfNotFound(request);
		if (brief !== null) this.briefs.remember([brief]);
		return brief;
	}
}
