import type { WhenBriefExists } from '../../../../nodes/CreatorBriefing/orders/item-types';
import { isAbort } from '../../../../core/api/sleep';
import { Oracle } from '../../../support/oracle';
import { HOUR, MINUTE } from '../../../support/time';
import { COLLEAGUE, type ServiceBehavior } from '../../../support/virtual-service';
import { NodeExecution } from '../../../../nodes/CreatorBriefing/orders/node-execution';
import { N8nProcess } from '../../support/n8n-process';

const EXECUTIONS = 4;
const GAPS = {
	'thirteen minutes': 13 * MINUTE,
	'an hour': 61 * MINUTE,
	'two hours': 2 * HOUR,
} as const;

const mug = { product_name: 'Mug', audience: 'Bakers' };
const INPUTS = [mug, { product_name: 'Pan' }];

/** The maximum number of briefs of one content that four executions pay for. */
const MOST_BRIEFS: Readonly<Record<WhenBriefExists, number>> = {
	use: 1,
	useUnlessFailed: 2,
};

export interface Case {
	readonly behavior: Partial<ServiceBehavior>;
	readonly policy: WhenBriefExists;
	/** The number of executions that run at the same time. */
	readonly lanes: number;
}

/** Runs four executions of two items in one or several n8n processes, with the faults of a path. */
export async function playExecutions({ behavior, policy, lanes }: Case, path: readonly number[]) {
	const oracle = new Oracle(path);
	const n8n = new N8nProcess({ inputs: INPUTS, briefMs: 200_000, ...behavior }, oracle);
	if (policy === 'useUnlessFailed') n8n.service.shouldFail = (_, index) => index < 1;
	let hasRestarted = false;
	const restart = () => {
		n8n.restart();
		hasRestarted = true;
	};
	for (let first = 0; first < EXECUTIONS; first += lanes) {
		await Promise.all(Array.from({ length: lanes }, () => execute(n8n, policy, restart)));
		await passTime(n8n, policy);
	}
	return { oracle, breach: findBreach(n8n, policy, lanes > 1 && hasRestarted) };
}

/** Runs an execution. Retry On Fail runs the node again with what it remembers, which a restart of n8n forgets. */
async function execute(
	n8n: N8nProcess,
	policy: WhenBriefExists,
	restart: () => void,
): Promise<void> {
	const { oracle } = n8n.service;
	for (let node = new NodeExecution(); ;) {
		const { process, results } = n8n.start(INPUTS, { whenBriefExists: policy }, node);
		await results.catch((error: unknown) => {
			if (!isAbort(error) && !process.isDead) throw error;
		});
		if (process.isDead || oracle.choose('n8n restarts') !== '') {
			restart();
			node = new NodeExecution();
		}
		if (oracle.choose('the node is tried again') === '') return;
		await passTime(n8n, policy);
	}
}

async function passTime(n8n: N8nProcess, policy: WhenBriefExists): Promise<void> {
	const gap = n8n.service.oracle.choose(...Object.keys(GAPS)) as keyof typeof GAPS | '';
	// A brief that fails does so within five minutes.
	const usual = policy === 'useUnlessFailed' ? 5 * MINUTE : 1000;
	await n8n.pass(gap === '' ? usual : GAPS[gap]);
}

/**
 * Compares the promises with what the service has created.
 * @param isParallel true if an old and a new process ran at the same time, so that only the service limits the slots
 */
function findBreach(
	{ service }: N8nProcess,
	policy: WhenBriefExists,
	isParallel: boolean,
): string | null {
	if (service.isKeyReused) return 'a key came with two bodies';
	for (const input of INPUTS) {
		const { product_name } = input;
		const same = service.findBriefs(input);
		const own = same.filter(({ key }) => key !== COLLEAGUE);
		if (own.length > MOST_BRIEFS[policy]) return `${product_name} was paid for too often`;
		if (new Set(own.map(({ key }) => key)).size < own.length)
			return `${product_name} was paid for twice under one key`;
		const other = same.find(({ key }) => key === COLLEAGUE);
		const isLate = other !== undefined && other.createdAt < (own[0]?.createdAt ?? 0);
		if (isLate && policy === 'use' && service.behavior.isInputShown)
			return `${product_name} was ordered although a colleague had ordered the same`;
	}
	// The next process does not know a brief of a dead process that the list does not show yet.
	if (isParallel) return null;
	return service.mostRunning > 2 ? `${service.mostRunning} briefs ran at once` : null;
}

const BEHAVIORS: Readonly<Record<string, Partial<ServiceBehavior>>> = {
	'keys for ever': { keyMemoryMs: Infinity },
	'keys count from the first request': { isKeyAgedFromFirstRequest: true },
	'keys last 90 minutes from the first request': {
		keyMemoryMs: 90 * MINUTE,
		isKeyAgedFromFirstRequest: true,
	},
	'the list lags five minutes': { listLagMs: 5 * MINUTE },
	'the list lags, small pages': { listLagMs: 5 * MINUTE, pageSize: 2 },
	'input is not shown': { isInputShown: false },
	'a third brief is refused with 400': { thirdBrief: 400 },
	'with a colleague': { colleague: 'might order' },
};

/** Every behavior of the service, with every value of `whenBriefExists`, one and two executions at a time. */
export const CASES: ReadonlyMap<string, Case> = new Map(
	Object.entries(BEHAVIORS).flatMap(([name, behavior]) =>
		(Object.keys(MOST_BRIEFS) as WhenBriefExists[]).flatMap((policy) =>
			[1, 2].map((lanes): [string, Case] => [
				`${name}, ${policy}${lanes > 1 ? ', two at once' : ''}`,
				{ behavior, policy, lanes },
			]),
		),
	),
);
