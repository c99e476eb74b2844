import { fencedSend } from '../../../batch/folder/lock/fence';
import { lockFolder, type Lock } from '../../../batch/folder/lock/lock';
import type { Machine } from '../../../batch/folder/lock/holder';
import { ServiceError } from '../../../service/api/errors';
import { renewJournalFile, type Journal } from '../../../batch/folder/journal/journal';
import { Records } from '../../../batch/folder/records';
import { Events, type Heard } from '../../../batch/folder/events';
import { prepare } from '../../../batch/run/prepare';
import type { RunOutcome } from '../../../batch/run/end-run';
import type { RunRequest } from '../../../batch/run/request';
import { makePlan, type Plan } from '../../../batch/plan/plan';
import { Stop } from '../../../batch/stop';
import { stopOf } from '../../../batch/stop-of';
import type { Send } from '../../../service/api/ports';
import { BriefingService } from '../../../service/api/service';
import { journalIn } from '../batch/journal-events';
import { MemoryDisk } from '../batch/memory-disk';
import { VirtualSandbox, type VirtualSandboxOptions } from '../virtual-sandbox';
import { VirtualClock } from '../virtual-clock';
import {
	BATCH,
	JOURNAL,
	openJournal,
	OUT,
	SETTINGS,
	tableOf,
	wholeRun,
	type Content,
} from '../batch/desk';
import { Life, type Death, type Effect } from './life';
import { DAY, MINUTE, SECOND } from '../time';

const LOCK = 'out/.lock';

/** A month has too many beats of five seconds; what the lock does in its own time is tested by contests for it. */
const BEAT_MS = 10 * MINUTE;

/** How long a request and its answer are on their way, unless a test says otherwise. */
const LATENCY_MS = 300;

/** An answer that is on its way for no longer than that passes for one of its moment. */
const SLOW_MS = 20 * SECOND;

/** A run that does nothing for this long in real time waits for something that never comes. */
const STUCK_MS = 5000;

export interface Start {
	/** The effect that the process does not outlive. */
	death?: Death;
	/** The nth event of this kind that the process does not outlive: a moment that stays when effects come and go. */
	deathOn?: { event: Heard['event']; nth: number };
	/** Where it dies, the power is cut: what was not synced is lost. */
	power?: boolean;
	/** The effect at which the run is interrupted as by Ctrl-C. */
	interruptAt?: number;
	/** The effect at which the machine sleeps for `sleepMs`; or the nth line that is written to the journal. */
	sleepAt?: number;
	sleepAtLine?: number;
	sleepMs?: number;
	/** The effect at which others take the slots that are free. */
	othersAt?: number;
	/** The request, a GET, whose answer is on its way for `heldUpMs`. */
	heldUpAt?: number;
	heldUpMs?: number;
	/** The effect at which this machine's clock is set right if it was behind. */
	setRightAt?: number;
	/** Gives failed rows a new generation first. */
	retry?: boolean;
	orderChanged?: boolean;
	orderAgain?: boolean;
	max?: number;
	leaveSlots?: number;
	keep?: number;
}

type Ending =
	| { died: true }
	/** Nothing could be begun. */
	| { failure: Stop }
	| { report: RunOutcome };

export interface Past {
	start: Start;
	ending: Ending;
	effects: Effect[];
	events: Heard[];
	/** Which of the service's requests this run sent. */
	requests: { from: number; to: number };
	/** By the world's clock. */
	began: number;
	/** The CSV and the journal that it found, and the journal that it left. */
	rows: readonly Content[];
	before: Records;
	after: Records;
}

/** Service, disk and clock in memory, and processes on them that live and die: a month passes in moments. */
export class World {
	readonly clock: VirtualClock;
	readonly disk = new MemoryDisk();
	readonly service: VirtualSandbox;
	readonly past: Past[] = [];
	/** The CSV as it is now. */
	rows: Content[] = [];
	/** How far this machine's clock is ahead. */
	skew = 0;
	/** How long a request or its answer may be on the way, in milliseconds: its content may be that old. */
	onTheWay = 0;
	/** Stands between the runs and the service. */
	wire: (send: Send) => Send = (send) => send;
	/** To read the journal takes long, and it is asked for again and again between two writes. */
	private lastRead: { bytes: Buffer; records: Records } | undefined;

	constructor(
		readonly options: VirtualSandboxOptions = {},
		start?: number,
	) {
		this.clock = new VirtualClock(start);
		this.service = new VirtualSandbox(this.clock, { latency: LATENCY_MS, ...options });
	}

	/** `brief-batch plan`: GETs only, and nothing is written. */
	async plan(start: Start = {}): Promise<Plan> {
		const clock = new Life().clock(this.clock, () => this.skew);
		const service = new BriefingService(this.service.send, clock);
		const request = this.request(start);
		const { batch, table } = request;
		const records = this.records();
		const planByJournal = makePlan({ batch, rows: table.rows, records, options: request });
		const { signal: interruption } = new AbortController();
		const env = { service, clock, interruption, disk: this.disk };
		return (await prepare(planByJournal, request, env)).plan;
	}

	/** One process: `brief-batch run`, or `brief-batch retry --yes`. */
	async run(start: Start = {}): Promise<Ending> {
		const life = new Life(start.death);
		const interruption = new AbortController();
		let sleepMs = start.sleepMs ?? 0;
		let lines = 0;
		let lastOrder = -Infinity;
		life.onEffect = (n, { kind, of }) => {
			if (n === start.interruptAt) interruption.abort();
			if (n === start.setRightAt && this.skew < 0) this.skew = 0;
			if (n === start.othersAt)
				while (this.service.running() < 2) this.service.startOther(5 * MINUTE);
			if (kind === 'write' && of === JOURNAL) lines += 1;
			const isDue = n >= (start.sleepAt ?? Infinity) || lines === start.sleepAtLine;
			if (of === 'create_brief') lastOrder = this.clock.now();
			// From the decision to send an order until it has arrived nothing can be done about a machine that falls asleep.
			if (!isDue || this.clock.now() - lastOrder < LATENCY_MS) return;
			this.clock.set(this.clock.now() + sleepMs);
			sleepMs = 0;
		};
		const events: Heard[] = [];
		const emit = (event: Heard) => {
			events.push(event);
			const { event: last, nth } = start.deathOn ?? {};
			if (events.filter((one) => one.event === last).length === nth) life.kill();
		};
		const from = this.service.requests.length;
		const [rows, before] = [[...this.rows], this.records()];
		const began = this.clock.now();
		const ending = await this.untilStuck(life, [
			this.process(life, interruption.signal, start, emit),
			life.died.then(() => ({ died: true as const })),
		]);
		// What the dead process had handed over reaches the disk before the power fails.
		await new Promise((resolve) => setImmediate(resolve));
		if ('died' in ending && start.power === true) this.disk.cutPower();
		const to = this.service.requests.length;
		this.past.push({
			start,
			ending,
			effects: life.effects,
			events,
			requests: { from, to },
			began,
			rows,
			before,
			after: this.records(),
		});
		return ending;
	}

	/** The journal as it is on the disk. */
	records(): Records {
		if (!this.disk.files().includes(JOURNAL)) return new Records();
		const bytes = this.disk.bytes(JOURNAL);
		if (this.lastRead?.bytes !== bytes)
			this.lastRead = { bytes, records: journalIn(bytes, JOURNAL).records };
		return this.lastRead.records;
	}

	/** Ours, with the key they were created with. */
	paid(): VirtualSandbox['briefs'] {
		return this.service.briefs.filter(({ key }) => key !== '');
	}

	async pass(ms: number): Promise<void> {
		const LONGEST = 10 * DAY;
		for (let msLeft = ms; msLeft > 0; msLeft -= LONGEST)
			await this.clock.pass(Math.min(msLeft, LONGEST));
	}

	/** The CSV as it is now, with the settings of a run. */
	private request(start: Start): RunRequest {
		const table = tableOf(this.rows);
		return {
			...SETTINGS,
			...start,
			batch: BATCH,
			table,
			rows: table.rows,
			retryUpTo: start.retry === true ? Infinity : undefined,
		};
	}

	private async process(
		life: Life,
		interruption: AbortSignal,
		start: Start,
		emit: (event: Heard) => void,
	): Promise<Ending> {
		const clock = life.clock(this.clock, () => this.skew);
		// To look at the lock changes nothing: who dies there dies at what comes next.
		const countingDisk = life.disk(this.disk);
		const read = (path: string) => (path === LOCK ? this.disk : countingDisk).read(path);
		const disk = { ...countingDisk, read };
		const request = this.request(start);
		// Every process has a number of its own, and all before it are dead.
		const self = { pid: this.past.length + 1, host: 'here' };
		const machine: Machine = { self, fateOf: () => 'dead' };
		let lock: Lock | undefined;
		let journal: Journal | undefined;
		try {
			await disk.makeFolder(OUT);
			lock = await lockFolder(disk, OUT, clock, {
				machine,
				beat: BEAT_MS,
				onTakeOver: (fencedDisk) => renewJournalFile(fencedDisk, JOURNAL),
			});
			let requests = 0;
			const slow: Send = async (request, signal) => {
				const n = (requests += 1);
				const answer = await this.wire(this.service.send)(request, signal);
				if (n === start.heldUpAt && request.method === 'GET') {
					// A look that is so old is made again; one that is a little younger is believed.
					this.onTheWay = SLOW_MS;
					await this.clock.sleep(start.heldUpMs ?? 0, signal);
				}
				return answer;
			};
			const send = fencedSend(life.send(slow), lock, clock);
			const service = new BriefingService(send, clock);
			const events = new Events();
			events.listen(emit);
			journal = await openJournal(lock.disk, clock, events.tell);
			const outside = { service, clock, disk: lock.disk, journal, interruption, events };
			return { report: await wholeRun(request, outside) };
		} catch (error) {
			if (interruption.aborted && error === interruption.reason) {
				return { failure: new Stop('Interrupted.', '', 'interrupted') };
			}
			if (!isForeseen(error)) throw error;
			return { failure: stopOf(error) };
		} finally {
			await journal?.close().catch(() => undefined);
			await lock?.release().catch(() => undefined);
		}
	}

	private async untilStuck(life: Life, endings: Array<Promise<Ending>>): Promise<Ending> {
		let lastSize = -1;
		let timer: NodeJS.Timeout | undefined;
		// The heart of the lock beats on while nothing else is done.
		const done = () => life.effects.filter(({ kind, of }) => kind !== 'sleep' && of !== LOCK);
		const stuck = new Promise<never>((_, reject) => {
			timer = setInterval(() => {
				const { length } = done();
				if (length > lastSize) lastSize = length;
				else
					reject(
						new Error(`Stuck after ${lastSize} effects: ${JSON.stringify(life.effects.at(-1))}`),
					);
			}, STUCK_MS);
		});
		try {
			return await Promise.race([...endings, stuck]);
		} finally {
			clearInterval(timer);
		}
	}
}

function isForeseen(error: unknown): boolean {
	const isOfDisk = typeof (error as NodeJS.ErrnoException).syscall === 'string';
	return isOfDisk || [Stop, ServiceError].some((each) => error instanceof each);
}
