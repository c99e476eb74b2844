import { basename, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { briefFileName, briefPath, writeBrief } from '../../../batch/folder/brief-files';
import { isBriefFileName } from '../../../batch/folder/brief-files';
import { aBrief } from '../../support/builders';
import { MemoryDisk } from '../../support/batch/memory-disk';

const free = () => false;
const nameOf = (facts: Parameters<typeof aBrief>[0]) => briefFileName(aBrief(facts), free);

describe('the name of a brief’s files', () => {
	it.each([
		['Glow Serum 30 ml', 'glow-serum-30-ml-1f0c22aa'],
		['L’Oréal Crème — "Été" №5', 'loreal-creme-ete-no5-1f0c22aa'],
		['Größe Łódź Ærø', 'grosse-lodz-aero-1f0c22aa'],
		['FULL ＷＩＤＴＨ', 'full-width-1f0c22aa'],
		['../../etc/passwd', 'etc-passwd-1f0c22aa'],
		['..\\..\\windows\\system32', 'windows-system32-1f0c22aa'],
		['.htaccess', 'htaccess-1f0c22aa'],
		['CON', 'con-1f0c22aa'],
		['a\u0000b\u202egnp.exe', 'a-b-gnp-exe-1f0c22aa'],
	])('tells the product in letters that every file system takes: %j', (product_name, name) => {
		expect(nameOf({ product_name })).toBe(name);
	});

	it('uses the title if the product is a link or has no letter', () => {
		const title = 'The 10-second glow';
		const name = 'the-10-second-glow-1f0c22aa';
		expect(nameOf({ product_name: 'https://shop.example/p/17293', title })).toBe(name);
		expect(nameOf({ product_name: '🧴', title })).toBe(name);
		expect(nameOf({ product_name: '光沢セラム', title })).toBe('光沢セラム-1f0c22aa');
		expect(nameOf({ product_name: '🧴', title: null })).toBe('brief-1f0c22aa');
		expect(nameOf({ product_name: '', title: '' })).toBe('brief-1f0c22aa');
	});

	it('uses the whole id when another brief has the short name', () => {
		const taken = (name: string) => name === 'glow-serum-30-ml-1f0c22aa';
		expect(briefFileName(aBrief(), taken)).toBe(
			'glow-serum-30-ml-1f0c22aa-7d41-4c52-9f3e-0a6f2b7c9d10',
		);
	});

	it('hashes an id that is no UUID, so that ids which differ in anything differ in the name', () => {
		const ids = ['../../etc/passwd', '..%2f..', 'AB', 'ab', '', 'CON', '1f0c22aa/../x'];
		ids.push('é', 'e\u0301');
		const names = ids.map((id) => nameOf({ id }));
		expect(new Set(names).size).toBe(ids.length);
		for (const name of names) expect(name).toMatch(/^glow-serum-30-ml-[0-9a-f]{8}$/);
	});

	it('never leaves the results folder and never names what a file system cannot hold', () => {
		const hostile = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 400 }),
			fc.stringMatching(/^[./\\:a-z\0-]{0,40}$/),
			fc.constantFrom('con', 'nul', 'lpt1', 'aux.txt', '~', '-rf', ' ', '...', 'C:\\x'),
		);
		const root = resolve('/out/results');
		fc.assert(
			fc.property(
				hostile,
				hostile,
				fc.option(hostile),
				fc.boolean(),
				(id, product, title, clash) => {
					const name = briefFileName({ id, product_name: product, title }, () => clash);
					expect(isBriefFileName(name)).toBe(true);
					expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
					expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/i);
					const path = resolve(briefPath('/out', name, 'json'));
					expect(path).toBe(`${root}${sep}${basename(path)}`);
				},
			),
			{ numRuns: 2000 },
		);
	});
});

describe('writing a brief', () => {
	const json = '/out/results/glow-1.json';
	const md = '/out/results/glow-1.md';

	it('leaves the Markdown as it came and the whole brief as readable JSON', async () => {
		const disk = new MemoryDisk();
		// A field that this version does not know is kept.
		const brief = aBrief({ mood: 'bright' } as never);
		await writeBrief(disk, '/out', 'glow-1', brief);
		expect(disk.files()).toEqual([json, md]);
		expect(disk.text(md)).toBe(brief.markdown);
		expect(JSON.parse(disk.text(json))).toEqual(brief);
		expect(disk.text(json)).toContain('\n  "status": "ready",\n');
		expect(disk.text(json)).toMatch(/[^\n]\n$/);
	});

	it('says in the file where to look when a ready brief came without its text', async () => {
		const disk = new MemoryDisk();
		await writeBrief(disk, '/out', 'glow-1', aBrief({ markdown: null, title: null }));
		expect(disk.text(md)).toBe(
			'# Glow Serum 30 ml\n\nThe service sent no text with this brief. All that it sent is in glow-1.json.\n',
		);
	});

	it.each(['../glow', '/etc/passwd', 'a/b', 'a\\b', '.hidden', '', 'a\u0000', 'A', 'a.b'])(
		'refuses a name that it did not give: %j',
		async (name) => {
			const disk = new MemoryDisk();
			await expect(writeBrief(disk, '/out', name, aBrief())).rejects.toThrow('is not the name');
			expect(disk.calls).toEqual([]);
		},
	);
});
