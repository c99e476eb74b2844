import { Readable } from 'node:stream';
import { batchName } from '../../../batch/commands/batch-name';
import { openTable } from '../../../batch/csv/table';
import { Records } from '../../../batch/folder/records';
import { Stop } from '../../../batch/stop';
import { recordsOf, entry } from '../../support/batch/journal-events';

const OPTIONS = { map: [], set: {} };

/** What is piped in, in pieces that end anywhere. */
function piped(bytes: Buffer, piece = 7): Readable {
	return Readable.from(
		(function* () {
			for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
		})(),
		{ objectMode: false },
	);
}

const tableOf = (text: string) => openTable('-', OPTIONS, piped(Buffer.from(text)));

test('standard input is read like a file, however large it is', async () => {
	const text = `Name;Goal\r\n${Array.from({ length: 5000 }, (_, i) => `Müsli ${i};größer\r\n`).join('')}`;
	const table = await openTable('-', OPTIONS, piped(Buffer.from(text), 999));
	expect(table).toMatchObject({ file: '-', delimiter: ';' });
	expect(table.rows).toHaveLength(5000);
	const input = { product_name: 'Müsli 4999', objective: 'größer' };
	expect(table.rows[4999]).toMatchObject({ number: 5001, input });
});

test.each([
	['', 'Standard input is empty.'],
	['%PDF-1.7', 'Standard input is a PDF, not a CSV.'],
])('%j is refused as a file would be', async (text, what) => {
	await expect(tableOf(text)).rejects.toMatchObject({ what });
});

test('a terminal is not waited for', async () => {
	const input = Object.assign(piped(Buffer.from('Name\n')), { isTTY: true });
	const refused = openTable('-', OPTIONS, input);
	await expect(refused).rejects.toBeInstanceOf(Stop);
	await expect(refused).rejects.toThrow('Standard input is the terminal');
});

test('an interruption ends the wait for what is piped in', async () => {
	const interruption = new AbortController();
	const silent = new Readable({ read: () => undefined });
	const reading = openTable('-', OPTIONS, silent, interruption.signal);
	interruption.abort();
	await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test('the batch of standard input must be named, again if the folder has one already', () => {
	const batch = (name: string | undefined, records: Records) =>
		batchName('-', { batch: name, outDir: 'out' }, records);
	const records = recordsOf({ ...entry.batch(), batch: 'shop' });
	for (const known of [new Records(), records]) {
		expect(() => batch(undefined, known)).toThrow('What comes out of a pipe has no file name');
		expect(batch('shop', known)).toBe('shop');
		expect(() => batch(' ', known)).toThrow('--batch is empty.');
	}
});
