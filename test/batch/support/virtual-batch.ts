import type { Send, WireResponse } from '../../../core/api/ports';
import { VirtualClock } from '../../support/virtual-clock';
import { VirtualSandbox, type VirtualSandboxOptions } from '../../support/virtual-sandbox';
import type { OnlineSession, Ports } from '../../../batch/commands/session';
import { OrderStore } from '../../../batch/folder/order-store';
import { lockNothing, MemoryDisk } from './memory-disk';
import { makeRows } from './order-builder';
import { makeInvocation, makeTable, runQuietly, type WorldCommand } from './world';

/** A folder, and the sandbox of the project on the virtual clock. */
export class VirtualBatch {
	readonly sandbox: VirtualSandbox;
	readonly disk = new MemoryDisk();
	/** Called when the first create arrives at the service, before its work. */
	beforeFirstCreate: () => void = () => undefined;
	/** Replaces the answer of the service to a create. */
	intercept: (body: string) => WireResponse | null = () => null;
	/** Called when a run has opened its session. */
	onSession: (session: OnlineSession) => void = () => undefined;

	constructor(
		options: VirtualSandboxOptions = {},
		readonly clock = new VirtualClock(),
	) {
		this.sandbox = new VirtualSandbox(this.clock, { latencyMs: 300, ...options });
	}

	private readonly send: Send = async (request, signal) => {
		const isCreate = request.operation === 'create_brief';
		if (isCreate && this.sandbox.count('create_brief') === 0) this.beforeFirstCreate();
		const answer = isCreate ? this.intercept(request.body ?? '') : null;
		if (answer === null) return await this.sandbox.send(request, signal);
		await this.clock.sleep(300);
		return answer;
	};

	async readStore(): Promise<OrderStore> {
		return await OrderStore.read(this.disk, 'out/journal.jsonl', () => 0);
	}

	/** @param signal stops the run, as Ctrl-C does */
	async run(
		products: readonly string[],
		options: WorldCommand['options'] = {},
		signal = new AbortController().signal,
	) {
		const rows = makeRows(...products.map((product_name) => ({ product_name })));
		const ports: Ports = {
			clock: this.clock,
			disk: this.disk,
			lockFolder: lockNothing,
			connect: () => this.send,
			readTable: async () => makeTable(rows),
		};
		const invocation = makeInvocation({ options });
		const context = { invocation, ports, signal };
		const { finished } = await runQuietly(context, (session) => this.onSession(session));
		if (finished === null) throw new Error('The run was refused');
		const { orders } = await this.readStore();
		const statuses = finished.report.rows.slice(0, rows.length).map(({ status }) => status);
		return {
			...finished,
			...finished.totals,
			end: finished.stop?.code ?? 'complete',
			orders,
			statuses,
		};
	}
}

/** Returns `Product 0`, `Product 1` … */
export function listProducts(count: number, name = 'Product'): string[] {
	return Array.from({ length: count }, (_, index) => `${name} ${index}`);
}
