import type { ServiceRequest } from '../../core/api/operations';
import type { WireResponse } from '../../core/api/ports';
import { isRunning, type BriefInput, type BriefSummary } from '../../core/api/types';
import { getEnd } from '../../sandbox/briefs/brief';
import { World } from '../batch/support/world';
import { HOUR, MINUTE } from '../support/time';
import type { Fault } from '../support/faults';
import type { VirtualProcess } from '../support/virtual-process';
import { COLLEAGUE, type CreatedBrief } from '../support/virtual-service';
import { toContent } from './contents';
import { makeAnswer, PlannedFaults, REPLACED_AFTER } from './faults';
import type { SwarmService } from './history';
import type { Handling, Reached } from './reached';
import { Wishes, type Command } from './wishes';

const DISORDER_MS = 10 * MINUTE;

/** One workspace, whose service tells the oracle about each create request and each brief. */
export class SwarmWorld extends World {
	readonly faults: PlannedFaults;
	readonly wishes: Wishes;
	/** The actor that has paid for each brief. */
	readonly payers = new Map<string, string>();
	/** Whether a GET has denied a brief that the list might show. */
	hasHiddenBrief = false;
	private nextCommand: Command | null = null;
	private readonly commands = new Map<VirtualProcess, Command>();
	private readonly senders = new WeakMap<ServiceRequest, Command>();
	private sender: Command | null = null;
	/** What the service does with the request that it handles, and with each request. */
	private handling: Handling = { done: '', fault: '' };
	private readonly handlings = new WeakMap<ServiceRequest, Handling>();

	constructor(
		private readonly swarm: SwarmService,
		private readonly reached: Reached | null = null,
	) {
		const faults = new PlannedFaults();
		const { lagMs, isDisordered, pageSize, keys, inputs, allowance, thirdBrief } = swarm;
		super(
			{
				listLagMs: lagMs,
				listDisorderMs: isDisordered ? DISORDER_MS : 0,
				pageSize,
				allowance,
				keyMemoryMs: keys === 'for ever' ? Infinity : HOUR,
				isInputShown: inputs !== 'hidden',
				...(keys === 'an hour from the first request' && { isKeyAgedFromFirstRequest: true }),
				...(thirdBrief !== null && { thirdBrief }),
			},
			faults,
		);
		this.faults = faults;
		this.shouldFail = (_, index) => isFailing(swarm, index);
		this.wishes = new Wishes(swarm, this.created, {
			isComparable: (brief) => this.isComparable(brief),
			findPayer: ({ id }) => this.payers.get(id),
			isHidden: (brief) => Object.keys(this.showInput(brief)).length === 0,
			isRunning: (brief, at = this.clock.now()) => at < getEnd(brief),
			isInJournal: ({ id }, folder) =>
				this.files.get(`${folder}/journal.jsonl`)?.includes(`"brief":{"id":"${id}"`) === true,
		});
		this.intercept = (request) => this.interceptRequest(request);
		faults.onFault = (name) => {
			this.handling.fault = name;
			this.hasHiddenBrief ||= name === 'GET: 404';
		};
	}

	begin(command: Command): void {
		this.wishes.begin(command, this.clock.now());
		this.setNextCommand(command);
	}

	/** The next process belongs to this command. */
	setNextCommand(command: Command): void {
		this.nextCommand = command;
	}

	override startProcess(deadline?: number) {
		const started = super.startProcess(deadline);
		this.assignCommand(started.process);
		return started;
	}

	protected override startCommand(): VirtualProcess {
		const process = super.startCommand();
		this.assignCommand(process);
		return process;
	}

	private assignCommand(process: VirtualProcess): void {
		if (this.nextCommand !== null) this.commands.set(process, this.nextCommand);
	}

	/** True if the month has no brief left for some of the rows, as far as a plan can know. */
	isAllowanceUsedUp(rows: number): boolean {
		const left = this.swarm.allowance - this.wishes.countMonth(this.clock.now());
		// A row of another folder whose input is rewritten is ordered with the same key, which costs nothing.
		return left <= 0 || (this.swarm.inputs === 'rewritten' && left < rows);
	}

	protected override async answer(
		request: ServiceRequest,
		process: VirtualProcess,
		signal?: AbortSignal,
	): Promise<WireResponse> {
		const command = this.commands.get(process) ?? null;
		if (command !== null) this.senders.set(request, command);
		if (request.operation === 'create_brief') this.wishes.recordSending(parseKey(request));
		const journal = this.files.get(`${command?.actor}/journal.jsonl`);
		try {
			return this.makeFinalAnswer(command, await super.answer(request, process, signal), request);
		} finally {
			const handling = this.handlings.get(request);
			if (journal !== undefined && handling !== undefined)
				this.reached?.count(journal, request, handling);
		}
	}

	/** Returns the answer as the program gets it. */
	private makeFinalAnswer(command: Command | null, answer: WireResponse, request: ServiceRequest) {
		if (command !== null && request.operation === 'list_licences')
			this.wishes.licenceReaders.add(command);
		const isCreated = request.operation === 'create_brief' && answer.status === 202;
		const fault = isCreated ? this.oracle.choose(...REPLACED_AFTER) : '';
		if (fault !== '') {
			this.handling = { done: this.handlings.get(request)?.done ?? '', fault };
			this.handlings.set(request, this.handling);
			return makeAnswer(fault) as WireResponse;
		}
		if (command !== null && request.operation === 'create_brief' && answer.status >= 400)
			this.wishes.recordRefusal(command, toContent(parseInput(request)));
		if (isCreated && command !== null) {
			const { id } = JSON.parse(answer.body) as { id: string };
			this.wishes.recordAnswer(command, id);
		}
		return this.swarm.hasDate ? answer : { ...answer, headers: {} };
	}

	private interceptRequest(request: ServiceRequest): Fault | null {
		this.sender = this.senders.get(request) ?? null;
		this.handling = { done: '', fault: '' };
		this.handlings.set(request, this.handling);
		if (request.operation === 'create_brief' && this.sender !== null)
			this.judgeRequest(this.sender, request);
		const fault = this.faults.chooseAnswer(request);
		return fault === '' ? null : makeAnswer(fault);
	}

	private judgeRequest(sender: Command, request: ServiceRequest): void {
		const idempotency_key = parseKey(request);
		const journal = this.files.get(`${sender.actor}/journal.jsonl`);
		const isFolder = !sender.actor.startsWith('n8n');
		// A process that dies after a request has to find the key in its journal.
		if (isFolder && journal?.includes(idempotency_key) !== true)
			this.wishes.breaches.push(`${sender.actor} sent a key that is not in the journal`);
		const content = toContent(parseInput(request));
		this.wishes.judgeRequest(sender, idempotency_key, content, this.clock.now());
	}

	override create(key: string, input: BriefInput): CreatedBrief {
		const { sender } = this;
		if (key === COLLEAGUE || sender === null) return super.create(key, input);
		this.wishes.judgeBrief(sender, key, input, this.clock.now());
		this.handling.done = 'created';
		const brief = super.create(key, input);
		this.payers.set(brief.id, sender.actor);
		return brief;
	}

	override show(brief: CreatedBrief): object {
		const shown = super.show(brief) as BriefSummary;
		this.handling.done ||= isRunning(shown) ? 'running' : shown.status;
		return { ...shown, created_at: this.showTime(brief), input: this.showInput(brief) };
	}

	private showTime(brief: CreatedBrief): string {
		const { times } = this.swarm;
		const sign = this.created.indexOf(brief) % 2 === 0 ? 1 : -1;
		const shifts = { 'off by 5 s': 5000, 'off by 60 s': MINUTE };
		const shift = times in shifts ? shifts[times as keyof typeof shifts] * sign : 0;
		const time = new Date(brief.createdAt + shift).toISOString();
		if (times === 'unreadable') return 'yesterday';
		return times === 'whole minutes' ? `${time.slice(0, 16)}:00Z` : time;
	}

	private showInput(brief: CreatedBrief): object {
		const { audience, reference_urls, ...input } = brief.input;
		const rest = { ...input, ...(reference_urls && { reference_urls }) };
		switch (this.swarm.inputs) {
			case 'shown':
				return brief.input;
			case 'hidden':
				return {};
			case 'hidden for some':
				return this.created.indexOf(brief) % 2 === 0 ? brief.input : {};
			case 'rewritten':
				return audience === undefined ? rest : { ...rest, audience: `${audience} and friends` };
			case 'renamed':
				return audience === undefined ? rest : { ...rest, brief_for: audience };
		}
	}

	/** True if the content of the brief can be told from all others. A name alone can be all that the service shows. */
	isShownWhole(brief: CreatedBrief): boolean {
		const shown = this.showInput(brief);
		return Object.keys(shown).length > 1 && JSON.stringify(shown) === JSON.stringify(brief.input);
	}

	/** True if every process can tell the content of the brief. */
	isComparable(brief: CreatedBrief): boolean {
		if (this.swarm.inputs === 'rewritten') return brief.input.audience === undefined;
		return Object.keys(this.showInput(brief)).length > 0;
	}
}

function parseKey({ body = '{}' }: ServiceRequest): string {
	return (JSON.parse(body) as { idempotency_key: string }).idempotency_key;
}

function parseInput({ body = '{}' }: ServiceRequest): BriefInput {
	return JSON.parse(body) as BriefInput;
}

function isFailing({ failing }: SwarmService, index: number): boolean {
	if (failing === 'some') return index % 2 === 1;
	return failing === 'all' || (failing === 'first' && index === 0);
}
