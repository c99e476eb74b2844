import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { uuidFrom } from '../service/key';
import { rowId } from '../batch/csv/row';
import { contentOf } from '../batch/journal/content';
import { JOURNAL_FORMAT, type JournalEvent } from '../batch/journal/events';
import { encodeLine } from '../batch/journal/line';
import { rowOrderOf } from '../batch/run/rows/row-order';
import type { BriefInput } from '../service/resources';

/** A CSV and the journal of a run that has done its first `done` rows. */
export interface Batch {
	name: string;
	rows: number;
	done: number;
	/** Of the service that the journal names. */
	baseUrl: string;
}

const HEADER = 'Product Name,Product ID,Audience,Objective';
const AUDIENCE =
	'Hikers, runners and commuters who carry a bottle with them on every day of the year';
/** When the first brief was created. */
const START = Date.UTC(2026, 10, 1, 8);

function inputOf(index: number): BriefInput {
	return {
		product_name: `Steel bottle number ${index}`,
		product_id: String(1_729_384_756_000_000 + index),
		audience: AUDIENCE,
		objective: `Sell ${index} of them`,
	};
}

export function briefIdOf(index: number): string {
	return uuidFrom('bench', String(index));
}

/** The name of its files, without the ending. */
export function briefFileOf(index: number): string {
	return `what-nobody-tells-you-about-steel-bottle-${index}-${briefIdOf(index).slice(0, 8)}`;
}

export async function writeBatchCsv(file: string, { rows }: Batch): Promise<void> {
	await writeLines(file, function* () {
		yield `${HEADER}\n`;
		for (let i = 0; i < rows; i += 1) {
			const { product_name, product_id, audience, objective } = inputOf(i);
			yield `${product_name},${product_id},"${audience}",${objective}\n`;
		}
	});
}

/** The lines as a run leaves them, with a brief each four minutes in each of the two slots. */
export async function writeJournal(file: string, batch: Batch): Promise<void> {
	await writeLines(file, function* () {
		let n = 0;
		for (const event of eventsOf(batch)) yield encodeLine((n += 1), event);
	});
}

function* eventsOf({ name, done, baseUrl }: Batch): Generator<JournalEvent> {
	const [first, last] = [at(0), at(done)];
	const csv = { csv: name, allowance: 1_000_000, used: 0, set: {} };
	yield { type: 'batch', format: JOURNAL_FORMAT, batch: name, base_url: baseUrl, at: first };
	yield { type: 'run_started', ...csv, at: first };
	for (let i = 0; i < done; i += 1) yield* eventsOfRow(name, i);
	const none = { failed: 0, invalid: 0, deferred: 0, parked: 0, changed: 0, duplicate: 0 };
	const counts = { ...none, ready: done, pending: 0 };
	yield {
		type: 'run_ended',
		outcome: 'complete',
		counts,
		allowance: 1_000_000,
		used: done,
		at: last,
	};
}

function* eventsOfRow(name: string, index: number): Generator<JournalEvent> {
	const input = inputOf(index);
	const row = { id: rowId(input), number: index + 2, cells: [], input, problems: [] };
	const order = rowOrderOf(name, row, 1, 1);
	const { key } = order;
	const brief_id = briefIdOf(index);
	const [created, finished] = [at(index), at(index + 2)];
	yield { type: 'intent', ...order, service_time: created, content: contentOf(input), at: created };
	yield { type: 'accepted', key, brief_id, found: false, at: created };
	const title = `What nobody tells you about ${input.product_name}`;
	const url = `https://app.vendor.example/briefs/${brief_id}`;
	const times = { created_at: created, finished_at: finished, took_ms: 240_000 };
	const brief = { title, url, error_code: null, ...times };
	yield { type: 'ended', key, status: 'ready', ...brief, at: finished };
	const file = briefFileOf(index);
	const sha256 = createHash('sha256').update(title).digest('hex');
	yield { type: 'written', key, file, sha256, at: finished };
}

function at(index: number): string {
	return new Date(START + index * 120_000).toISOString();
}

async function writeLines(file: string, lines: () => Iterable<string>): Promise<void> {
	const out = createWriteStream(file);
	for (const line of lines()) if (!out.write(line)) await once(out, 'drain');
	out.end();
	await once(out, 'finish');
}
