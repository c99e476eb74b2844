import { nullIfNotFound } from '../api/retry';
import type { Brief, BriefInput } from '../api/types';
import { AllowanceGuard } from './allowance-guard';
import { BriefList } from './brief-list';
import { BriefPoller } from './brief-poller';
import { InputDisplay } from './input-display';
import { readWithRetries, type RequestContext } from './request-context';
import { SlotGate } from './slot-gate';

/**
 * What all orders of a process share: the brief list, the poll, the turn to send, and the use of the month. brief-batch
 * has one workspace per run, n8n has one per Base URL and API key.
 *
 *     order A                             order B                            requests
 *     sendOrder: a slot is free           sendOrder: waits for A             GET /briefs, POST /briefs
 *     waitUntilFinished                   the list shows A: send             GET /briefs, POST /briefs
 *                                         waitUntilFinished                  GET /briefs for both
 *     the list shows A as ready                                              GET /briefs/A
 */
export class Workspace {
	readonly briefs = new BriefList();
	readonly poller = new BriefPoller(this.briefs, this.readBrief.bind(this));
	readonly slots = new SlotGate(this.briefs, this.poller);
	readonly allowance = new AllowanceGuard(this.briefs);
	readonly display = new InputDisplay();

	/** Fetches the full brief; null if the workspace has none with this ID. */
	async readBrief(id: string, context: RequestContext): Promise<Brief | null> {
		const request = readWithRetries(context, (client) => client.getBrief(id, context.signal));
		const brief = await nullIfNotFound(request);
		if (brief === null) return null;
		this.briefs.remember([brief]);
		this.display.addBrief(brief);
		return brief;
	}

	/** Records that a create request is about to be sent: from here on, its brief might exist. */
	recordRequest(key: string, sentAt: number): void {
		this.slots.trackUnconfirmed(key, sentAt);
		this.allowance.recordRequest(key, sentAt);
	}

	/**
	 * Records the brief that was returned for an order's key.
	 * @param now the service's clock
	 */
	recordBrief(
		{ key, input }: { readonly key: string; readonly input: BriefInput },
		brief: Brief,
		now: number,
	): void {
		this.briefs.remember([brief]);
		this.display.addOwnBrief(brief, input);
		this.slots.recordBrief(key, brief.id, now);
		this.allowance.settleRequest(key);
	}

	/** Records that no request with this key can have created a brief. */
	recordNothingCreated(key: string): void {
		this.slots.recordNothingCreated(key);
		this.allowance.settleRequest(key);
	}
}
