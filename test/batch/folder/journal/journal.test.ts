import { Journal, renewJournalFile } from '../../../../batch/folder/journal/journal';
import { readJournalFile } from '../../../../batch/folder/journal/read';
import { endedAs } from '../../../../batch/folder/records';
import { decodeLine, encodeLine } from '../../../../batch/folder/journal/line';
import { Stop } from '../../../../batch/stop';
import { MemoryDisk } from '../../../support/batch/memory-disk';
import { failureOf } from '../../../support/failure-of';
import {
	entry,
	journalIn,
	order,
	timed,
	type Lasting,
} from '../../../support/batch/journal-events';

const PATH = 'out/journal.jsonl';
const NOW = Date.UTC(2026, 10, 20, 9);

const FIVE = [entry.batch(), entry.ordered(), entry.intended(), entry.accepted(), entry.ended()];

const silent = () => undefined;

const linesOf = (...lines: Lasting[]) =>
	lines.map((line, index) => encodeLine(index + 1, timed(line)));

async function read(text: string | Uint8Array) {
	const disk = new MemoryDisk();
	disk.put(PATH, text);
	return await readJournalFile(disk, PATH);
}

const failure = (text: string | Uint8Array) => failureOf(read(text), Stop);

async function given(text?: string | Uint8Array): Promise<{ disk: MemoryDisk; journal: Journal }> {
	const disk = new MemoryDisk();
	await disk.makeFolder('out');
	if (text !== undefined) disk.put(PATH, text);
	return { disk, journal: await Journal.open(disk, PATH, () => NOW, silent) };
}

describe('a line of the journal', () => {
	const event = timed({ ...entry.ordered(), product_name: 'Crème “Ré”\u2028\n\ud800 🧴' });

	test('is one line, and gives back the event', () => {
		const line = encodeLine(7, event);
		expect(line.match(/\n/g)).toHaveLength(1);
		expect(decodeLine(7, line.trimEnd())).toEqual(event);
	});

	test('is not taken for another line, or for itself with any character changed', () => {
		const line = encodeLine(7, event).trimEnd();
		expect(decodeLine(8, line)).toBeNull();
		for (let at = 0; at < line.length; at += 1) {
			const other = line[at] === 'x' ? 'y' : 'x';
			expect(decodeLine(7, `${line.slice(0, at)}${other}${line.slice(at + 1)}`)).toBeNull();
			expect(decodeLine(7, line.slice(0, at))).toBeNull();
		}
		expect(decodeLine(7, line.replace('"n":7', '"n":8'))).toBeNull();
		expect(decodeLine(7, `${line}\r`)).toBeNull();
		expect(decodeLine(7, '')).toBeNull();
		expect(decodeLine(7, '{}')).toBeNull();
	});
});

describe('reading a journal', () => {
	test('reads every beginning of it: whole lines count, and what a crash left of the next does not', async () => {
		const text = Buffer.from(linesOf(...FIVE).join(''));
		const states = ['', '', 'to_order', 'in_doubt', 'running', 'running ready'];
		for (let length = 0; length <= text.length; length += 1) {
			const { records, lines, intactLength, tornBytes } = await read(text.subarray(0, length));
			const [last = '', ...whole] = text.toString('utf8', 0, length).split('\n').reverse();
			expect([lines, intactLength]).toEqual([whole.length, length - Buffer.byteLength(last)]);
			expect(Buffer.from(tornBytes).toString()).toBe(Buffer.from(last).toString());
			const one = records.of('aaaa');
			const words = one === undefined ? [] : [one.state.stage, endedAs(one) ?? ''];
			expect(words.join(' ').trim()).toBe(states[lines]);
		}
	});

	test('takes NUL bytes at the end, as disks leave them after a power failure, for a torn line', async () => {
		const sound = linesOf(...FIVE).join('');
		const zeros = '\0'.repeat(40);
		for (const tail of [zeros, `{"n":6,${zeros}`, `{"n":6,${zeros}}\n`, `${zeros}\n`]) {
			expect(await read(sound + tail)).toMatchObject({ lines: 5, intactLength: sound.length });
		}
		expect(
			(await failure(`${sound}${zeros}\n${encodeLine(6, timed(entry.filed()))}`)).what,
		).toContain('line 6');
	});

	const [a = '', b = '', c = '', d = ''] = linesOf(...FIVE.slice(0, 1), ...FIVE.slice(2));
	const changed = c.replace('brief-1', 'brief-2');
	test.each([
		['a line in the middle is changed', [a, b, changed, d], 3],
		['the last line is changed', [a, b, changed], 3],
		['a line is lost', [a, b, d], 3],
		['the first line is lost', [b, c, d], 1],
		['a line is there twice', [a, b, b, c, d], 3],
		['the last line is there twice', [a, b, c, d, d], 5],
		['two lines are swapped', [a, c, b, d], 2],
		['an empty line was put in', [a, '\n', b], 2],
		// Taken for a torn tail, it would be cut, and all that was paid with it.
		['an empty line was put before it', ['\n', a, b], 1],
		['an empty line was put at the end', [a, b, '\n'], 3],
		['it was saved with other line ends', [a, b].map((line) => line.replace('\n', '\r\n')), 1],
		['a byte order mark was put before it', [`\ufeff${a}`, b], 1],
		['it is something else', ['{"level":"info"}\n'], 1],
		['another line follows a torn one', [a, b.slice(0, 30), c], 2],
	])('stops and names the line when %s', async (_, lines, number) => {
		const { what, cure, exitCode } = await failure(lines.join(''));
		expect(what).toContain(`${PATH} is damaged at line ${number}`);
		expect(cure).toContain('backup');
		expect(exitCode).toBe(2);
	});

	test('stops at bytes that are not UTF-8', async () => {
		const bytes = Buffer.from([a, b].join(''));
		bytes[20] = 0xff;
		expect((await failure(bytes)).what).toContain('line 1');
		const other = Buffer.from(`${a}\xe9\n`, 'latin1');
		expect((await failure(other)).what).toContain('line 2');
	});

	test.each([1, 2, 4])('refuses a journal of format %i, and says what to do', async (format) => {
		const { what, cure, exitCode } = await failure(linesOf(entry.batch(format)).join(''));
		expect(what).toContain(
			`a format that this version of brief-batch does not know (${format}, it`,
		);
		expect(cure).toContain('Use the version that wrote it');
		expect(exitCode).toBe(2);
	});

	test('carries events that it does not know', async () => {
		const unknown = { event: 'annotated', key: 'k1', note: 'by hand' } as unknown as Lasting;
		const { records, lines } = await read(linesOf(...FIVE.slice(0, 3), unknown).join(''));
		expect(lines).toBe(4);
		expect(records.of('aaaa')?.state.stage).toBe('in_doubt');
	});
});

test('a journal may come in pieces of whatever size', async () => {
	const text = `${linesOf(...FIVE).join('')}{"n":6`;
	const whole = await read(text);
	for (const size of [1, 7, 100, 1000]) {
		const disk = new MemoryDisk();
		disk.chunks = async function* () {
			const bytes = Buffer.from(text);
			for (let at = 0; at < bytes.length; at += size)
				yield await Promise.resolve(bytes.subarray(at, at + size));
		};
		const pieces = await readJournalFile(disk, PATH);
		expect(pieces.lines).toBe(whole.lines);
		expect(pieces.intactLength).toBe(whole.intactLength);
		expect(Buffer.from(pieces.tornBytes).toString()).toBe('{"n":6');
		expect(pieces.records.all()).toEqual(whole.records.all());
	}
});

describe('opening a journal', () => {
	test('makes it if it is missing, in a way that lasts', async () => {
		const { disk, journal } = await given();
		await journal.append(entry.batch());
		disk.cutPower();
		expect((await read(disk.text(PATH))).records.batch).toBe('products.csv');
	});

	test('goes on after an empty one, as a crash at the first line leaves it', async () => {
		const { disk, journal } = await given('');
		await journal.append(entry.batch());
		expect(disk.text(PATH)).toBe(encodeLine(1, timed(entry.batch())));
		expect(disk.files()).toEqual([PATH]);
	});

	const [first, sixth] = [encodeLine(1, timed(entry.batch())), encodeLine(6, timed(entry.filed()))];
	test.each([
		['half of the last line', 5, sixth.slice(0, 50)],
		['the last line without its end', 5, sixth.trimEnd()],
		['half of the only line', 0, first.slice(0, 20)],
		['NUL bytes', 5, '\0\0\0\0'],
	])('cuts %s off, keeps a copy, and appends in its place', async (_, lines, torn) => {
		const sound = linesOf(...FIVE.slice(0, lines)).join('');
		const { disk, journal } = await given(sound + torn);
		expect(disk.text(`${PATH}.torn-${NOW}`)).toBe(torn);
		expect(disk.text(PATH)).toBe(sound);
		await journal.append(entry.filed());
		disk.cutPower();
		expect(disk.text(PATH)).toBe(sound + encodeLine(lines + 1, timed(entry.filed())));
		expect(disk.text(`${PATH}.torn-${NOW}`)).toBe(torn);
	});

	test('is opened to be appended to, never to be written over', async () => {
		const disk = new MemoryDisk();
		disk.put(PATH, linesOf(...FIVE).join(''));
		const open = jest.spyOn(disk, 'open');
		await Journal.open(disk, PATH, () => NOW, silent);
		expect(open.mock.calls).toEqual([[PATH, 'append']]);
	});

	test('touches nothing if it is damaged', async () => {
		const text = linesOf(...FIVE)
			.join('')
			.replace('brief-1', 'brief-2');
		const disk = new MemoryDisk();
		disk.put(PATH, text);
		await expect(Journal.open(disk, PATH, () => NOW, silent)).rejects.toThrow('damaged at line 4');
		expect(disk.calls.map(({ operation }) => operation)).toEqual(['read']);
	});

	test('whatever call fails, nothing of the sound part is lost', async () => {
		const sound = linesOf(...FIVE).join('');
		for (let at = 1, isOpen = false; !isOpen; at += 1) {
			const disk = new MemoryDisk();
			disk.put(PATH, `${sound}{"n":6`);
			disk.fail({ at, forever: true });
			isOpen = await Journal.open(disk, PATH, () => NOW, silent).then(
				() => true,
				() => false,
			);
			disk.cutPower();
			expect((await read(disk.text(PATH))).lines).toBe(5);
		}
	});
});

describe('appending to a journal', () => {
	test('resolves when the event is on the disk, and not before', async () => {
		const { disk, journal } = await given();
		let letSync: () => void = () => undefined;
		const held = new Promise<void>((resolve) => (letSync = resolve));
		disk.before = ({ operation }) => (operation === 'sync' ? held : undefined);
		let isDone = false;
		const done = journal.append(entry.batch()).then(() => (isDone = true));
		await new Promise(setImmediate);
		expect(disk.count('sync', PATH)).toBe(1);
		expect([isDone, journal.records.batch]).toEqual([false, null]);
		letSync();
		await done;
		expect(journal.records.batch).toBe('products.csv');
		disk.cutPower();
		expect((await read(disk.text(PATH))).lines).toBe(1);
	});

	test('stamps each event with the time, and numbers them in the order of the calls', async () => {
		const { disk, journal } = await given();
		disk.bytesPerWrite = 7;
		const many = Array.from({ length: 30 }, (_, i) => entry.ordered(order(`k${i}`, `row${i}`)));
		await Promise.all([entry.batch(), ...many].map((event) => journal.append(event)));
		const { records, lines } = await read(disk.text(PATH));
		expect(lines).toBe(31);
		expect(records.all().map(({ key }) => key)).toEqual(many.map(({ key }) => key));
		expect(records.all()[0]?.at).toBe('2026-11-20T09:00:00.000Z');
		expect(disk.text(PATH)).toMatch(/"at":"2026-11-20T09[^}]*"product_name":"Product row29"/);
	});

	test.each(['write', 'sync'])(
		'takes nothing more once a %s has failed, even if the next would work',
		async (operation) => {
			const { disk, journal } = await given();
			await journal.append(entry.batch());
			disk.fail({ at: 1, on: (call) => call.operation === operation, bytesTaken: 9 });
			const [first, second] = await Promise.allSettled([
				journal.append(entry.ordered()),
				journal.append(entry.ordered(order('k2', 'bbbb'))),
			]);
			expect(first).toMatchObject({ status: 'rejected', reason: { code: 'ENOSPC' } });
			expect(second).toMatchObject({ status: 'rejected', reason: { code: 'ENOSPC' } });
			await expect(journal.append(entry.ordered())).rejects.toMatchObject({ code: 'ENOSPC' });
			expect(journal.records.all()).toEqual([]);
			await journal.close();
			// The next run finds a torn tail or a line too many, and neither harms.
			const again = await Journal.open(disk, PATH, () => NOW, silent);
			expect(again.records.batch).toBe('products.csv');
			await again.append(entry.ordered(order('k3', 'cccc')));
			expect((await read(disk.text(PATH))).records.of('cccc')?.key).toBe('k3');
		},
	);

	test('writes lines that belong together at once, and tells them once they are on the disk', async () => {
		const heard: string[] = [];
		const disk = new MemoryDisk();
		await disk.makeFolder('out');
		const tell = ({ event }: { event: string }) => {
			expect(journalIn(disk.bytes(PATH), PATH).lines).toBe(3);
			heard.push(event);
		};
		const journal = await Journal.open(disk, PATH, () => NOW, tell);
		await journal.append(entry.batch(), entry.ordered(), entry.intended());
		expect([heard, disk.count('sync', PATH)]).toEqual([['batch', 'ordered', 'intended'], 1]);
		await journal.keep(entry.accepted());
		expect(heard).toHaveLength(3);
	});

	test('closes after what was still being written', async () => {
		const { disk, journal } = await given();
		void journal.append(entry.batch());
		await journal.close();
		expect(disk.calls.slice(-4).map(({ operation }) => operation)).toEqual([
			...['write', 'sync', 'size', 'close'],
		]);
	});

	// An open file takes every line after it was removed, and the next run would know nothing of them.
	test('takes nothing more once the file is gone', async () => {
		const { disk, journal } = await given();
		await journal.append(entry.batch());
		await disk.remove(PATH);
		await expect(journal.append(entry.ordered())).rejects.toMatchObject({ code: 'ENOENT' });
		disk.put(PATH, linesOf(entry.batch(), entry.ordered()).join(''));
		await expect(journal.append(entry.ordered())).rejects.toMatchObject({ code: 'ENOENT' });
		expect(journal.records.all()).toEqual([]);
	});

	test.each([
		['another one is in its place', linesOf(entry.batch()).join('')],
		['something else wrote into it', linesOf(...FIVE, entry.filed(), entry.runEnded()).join('')],
	])('takes nothing more once %s', async (_, other) => {
		const torn = '{"n":';
		const { disk, journal } = await given(linesOf(...FIVE.slice(0, 4)).join('') + torn);
		await journal.append(entry.ended());
		await disk.remove(PATH);
		disk.put(PATH, other);
		expect(await failureOf(journal.append(entry.filed()), Stop)).toMatchObject({
			reason: 'journal_replaced',
			what: expect.stringContaining(PATH) as string,
		});
		const record = journal.records.of('aaaa');
		expect([record?.state.stage, record?.file]).toEqual(['running', null]);
	});
});

describe('a journal with a new file', () => {
	test('has the same bytes, which last, and takes nothing more from who has the old one open', async () => {
		const text = `${linesOf(...FIVE).join('')}{"n":6,`;
		const { disk, journal } = await given(linesOf(...FIVE).join(''));
		await (await disk.open(PATH, 'append')).write(Buffer.from('{"n":6,'));
		await renewJournalFile(disk, PATH);
		await expect(journal.append(entry.filed())).rejects.toThrow('removed or replaced');
		disk.cutPower();
		expect(disk.text(PATH)).toBe(text);
		expect(disk.files()).toEqual([PATH]);
	});

	test('is none if there was none', async () => {
		const { disk } = await given();
		await disk.remove(PATH);
		await renewJournalFile(disk, PATH);
		expect(disk.files()).toEqual([]);
	});
});

describe('the first line of a journal', () => {
	test('is written with the first event, and not again', async () => {
		const { disk, journal } = await given();
		journal.beginWith(entry.batch());
		expect(disk.text(PATH)).toBe('');
		await journal.append(entry.ordered());
		await journal.append(entry.accepted());
		expect((await read(disk.text(PATH))).records.batch).not.toBeNull();
		expect(disk.text(PATH).match(/"event":"batch"/g)).toHaveLength(1);
	});
});
