import { BriefList } from '../../../core/workspace/brief-list';
import { DAY } from '../../support/time';
import { VirtualService, type ServiceBehavior } from '../../support/virtual-service';

/** A process that reads the brief list of a service. The briefs have the names of their products. */
export class ListReader {
	readonly service: VirtualService;
	readonly context;
	readonly briefs = new BriefList();
	readonly start: number;

	constructor(behavior: Partial<ServiceBehavior> = {}) {
		this.service = new VirtualService({ pageSize: 2, ...behavior });
		this.context = this.service.startProcess().context;
		this.start = this.service.clock.now();
	}

	create(...names: readonly string[]): void {
		for (const product_name of names) this.service.create('x', { product_name });
	}

	/** Creates a brief on each of the next days, and lets the last day pass. */
	async createDaily(names: string): Promise<void> {
		for (const name of names) {
			this.create(name);
			await this.service.clock.pass(DAY);
		}
	}

	async readNewestPage(): Promise<void> {
		await this.briefs.readNewestPage(this.context, 0);
	}

	/** Returns the names of the briefs since a day after the start. */
	async readNames(day = 0, caller = this.context): Promise<string> {
		const { briefs } = await this.briefs.readSince(this.start + day * DAY, caller);
		return briefs.map(({ product_name }) => product_name).join('');
	}

	async countLists(read: () => Promise<unknown>): Promise<number> {
		const before = this.service.count('list_briefs');
		await read();
		return this.service.count('list_briefs') - before;
	}
}
