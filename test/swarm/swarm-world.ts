import type { BriefInput } from '../../core/api/types';
import type { ServiceRequest } from '../../core/api/operations';
import type { WireResponse } from '../../core/api/ports';
import { World } from '../batch/support/world';
import { Oracle } from '../support/oracle';
import { HOUR } from '../support/time';
import type { VirtualProcess } from '../support/virtual-process';
import { COLLEAGUE, type CreatedBrief } from '../support/virtual-service';
import { REFUSALS, type PlannedFault, type SwarmService } from './history';
import { toContent, Wishes, type Command } from './wishes';

/** Chooses the planned faults of the actions that are in progress. */
class PlannedFaults extends Oracle {
	private planned: Array<{ name: string; skip: number }> = [];

	add(faults: readonly PlannedFault[]): () => void {
		const added = faults.map((fault) => ({ ...fault }));
		this.planned.push(...added);
		return () => {
			this.planned = this.planned.filter((fault) => !added.includes(fault));
		};
	}

	override choose(...possible: string[]): string {
		for (const fault of this.planned) {
			if (!possible.includes(fault.name)) continue;
			fault.skip -= 1;
			if (fault.skip >= 0) continue;
			this.planned.splice(this.planned.indexOf(fault), 1);
			return fault.name;
		}
		return '';
	}
}

/** One workspace, whose service tells the oracle about each create request and each brief. */
export class SwarmWorld extends World {
	readonly faults: PlannedFaults;
	readonly wishes: Wishes;
	/** The briefs that each command has created. */
	readonly paidBy = new Map<Command, string[]>();
	private lastCommand: Command | null = null;
	private readonly commands = new Map<VirtualProcess, Command>();
	private readonly senders = new WeakMap<ServiceRequest, Command>();
	private sender: Command | null = null;

	constructor(private readonly swarm: SwarmService) {
		const faults = new PlannedFaults();
		const keyMemoryMs = swarm.keys === 'for ever' ? Infinity : HOUR;
		const isAged = swarm.keys === 'an hour from the first request';
		const isInputShown = swarm.inputs !== 'hidden';
		super(
			{
				listLagMs: swarm.lagMs,
				keyMemoryMs,
				isInputShown,
				...(isAged && { isKeyAgedFromFirstRequest: true }),
			},
			faults,
		);
		this.faults = faults;
		this.shouldFail = (_, index) => isFailing(swarm, index);
		this.wishes = new Wishes(swarm, this.created, (brief) => {
			return isFailing(swarm, this.findBriefs(brief.input).indexOf(brief));
		});
		this.intercept = (request) => this.interceptRequest(request);
	}

	/** The first request of the next process belongs to this command. */
	begin(command: Command): void {
		this.lastCommand = command;
		this.wishes.begin(command, this.clock.now());
	}

	protected override answer(request: ServiceRequest, process: VirtualProcess) {
		const command = this.commands.get(process) ?? this.lastCommand;
		if (command !== null) {
			this.commands.set(process, command);
			this.senders.set(request, command);
		}
		return super.answer(request, process);
	}

	private interceptRequest(request: ServiceRequest): WireResponse | 'lost' | null {
		this.sender = this.senders.get(request) ?? null;
		switch (request.operation) {
			case 'list_briefs': {
				const fault = this.oracle.choose('list: lost', 'list: 500');
				if (fault === 'list: lost') return 'lost';
				return fault === '' ? null : this.refuse(500).answer;
			}
			case 'create_brief':
				return this.interceptOrder(request);
			default:
				return null;
		}
	}

	private interceptOrder({ body = '' }: ServiceRequest): WireResponse | null {
		const { idempotency_key, ...input } = JSON.parse(body) as BriefInput & {
			idempotency_key: string;
		};
		if (this.sender !== null)
			this.wishes.judgeRequest(this.sender, idempotency_key, toContent(input));
		const fault = this.oracle.choose(...REFUSALS.map((status) => `create: ${status}`));
		return fault === '' ? null : this.refuse(Number(fault.slice(-3))).answer;
	}

	override create(key: string, input: BriefInput): CreatedBrief {
		const { sender } = this;
		const content = toContent(input);
		if (key !== COLLEAGUE && sender !== null) {
			this.wishes.judgeBrief(sender, key, content, this.clock.now());
			this.paidBy.set(sender, [...(this.paidBy.get(sender) ?? []), content]);
		}
		return super.create(key, input);
	}

	override show(brief: CreatedBrief): object {
		const shown = super.show(brief);
		const { inputs, shiftSeconds } = this.swarm;
		const number = this.created.indexOf(brief);
		const shift = shiftSeconds * 1000 * (number % 2 === 0 ? 1 : -1);
		return {
			...shown,
			created_at: new Date(brief.createdAt + shift).toISOString(),
			...(inputs === 'rewritten' && { input: rewrite(brief.input) }),
		};
	}
}

function isFailing({ failing }: SwarmService, index: number): boolean {
	if (failing === 'some') return index % 2 === 1;
	return failing === 'all' || (failing === 'first' && index === 0);
}

/** The name is the only value that a service surely shows as it was sent. */
function rewrite({ audience, ...input }: BriefInput): BriefInput {
	return audience === undefined ? input : { ...input, audience: `${audience} and friends` };
}
