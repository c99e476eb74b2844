import { parse } from 'csv-parse/sync';
import { RESULT_COLUMNS } from '../../../batch/results/result-columns';
import type { ResultTable } from '../../../batch/results/result-table';
import { writeResults } from '../../../batch/results/results';
import type { RowResult } from '../../../batch/results/row-result';
import { aRow, AT_THE_END } from '../../support/batch/result-fixtures';
import { MemoryDisk } from '../../support/batch/memory-disk';

const RESULTS = '/out/results.csv';
const FAILED = '/out/failed.csv';
const WHY = 'brief_status,brief_error_code,brief_error';

type Facts = Partial<Pick<ResultTable, 'columns' | 'headers' | 'delimiter'>>;

function table(facts: Facts, rows: Partial<RowResult>[]): ResultTable {
	return { columns: ['product_name'], delimiter: ',', ...facts, rows: rows.map(aRow) };
}

async function written(facts: Facts, rows: Partial<RowResult>[]) {
	const disk = new MemoryDisk();
	await writeResults(disk, '/out', table(facts, rows), AT_THE_END);
	return disk;
}

const ready: Partial<RowResult> = {
	cells: ['7', 'Glow Serum'],
	status: 'ready',
	brief_id: 'b1',
	title: 'The glow',
	url: 'https://app.example/b1',
	file: 'results/glow-serum-b1.md',
	created_at: '2026-11-20T09:00:00Z',
	finished_at: '2026-11-20T09:04:10Z',
};

describe('results.csv', () => {
	it('has one line per row in the CSV’s order: its own columns, then what came of it', async () => {
		const disk = await written({ columns: ['SKU', 'Product Name'] }, [
			ready,
			{ cells: ['8', 'Lamp, red'], status: 'failed', error_code: 'no_data', error: 'No videos' },
			{ cells: ['9', 'x'], status: 'invalid', error: 'Too short' },
			{ cells: ['10', 'Mug'], status: 'pending' },
		]);
		expect(disk.text(RESULTS)).toBe(
			[
				'\ufeffSKU,Product Name,brief_id,brief_status,brief_title,brief_url,brief_file,brief_error_code,brief_error,brief_created_at,brief_finished_at',
				'7,Glow Serum,b1,ready,The glow,https://app.example/b1,results/glow-serum-b1.md,,,2026-11-20T09:00:00Z,2026-11-20T09:04:10Z',
				'8,"Lamp, red",,failed,,,,no_data,No videos,,',
				'9,x,,invalid,,,,,Too short,,',
				'10,Mug,,pending,,,,,,,',
				'',
			].join('\n'),
		);
	});

	it('takes the delimiter of the CSV, and always has the mark with which Excel reads UTF-8', async () => {
		const disk = await written({ columns: ['a', 'b'], delimiter: ';' }, [
			{ cells: ['1;2', '3,4'], status: 'failed' },
		]);
		expect(disk.text(RESULTS)).toMatch(/^\ufeffa;b;brief_id;.*\n"1;2";3,4;;failed;;;;;;;\n$/);
		expect(disk.text(FAILED)).toBe(
			'\ufeffa;b;brief_status;brief_error_code;brief_error\n"1;2";3,4;failed;;\n',
		);
	});

	it.each([
		...['=HYPERLINK("http://evil.example")', '+1', '-1+2', '@SUM(A1)', '\t=1', '\tx', '\rx', '\nx'],
		...['\r=1', '\n=1', '＝1', '＋1', '－1', '＠x', ' =1', '\u200b=1', '\u0000=1', '\ufeff@x'],
	])('makes a cell that was added harmless that a spreadsheet would run: %j', async (text) => {
		const ours = { brief_id: text, title: text, url: text, file: text, error_code: text };
		const row = { cells: ['x'], ...ours, error: text, created_at: text, finished_at: text };
		const disk = await written({}, [{ ...row, status: 'failed' }]);
		const [, cells] = parse(disk.text(RESULTS), { bom: true });
		const safe = `'${text.replace(/(?<=[\t\r\n])=/, "'=")}`;
		expect(cells).toEqual(['x', safe, 'failed', ...Array<string>(7).fill(safe)]);
	});

	it.each([
		['Glow;=HYPERLINK("http://evil.example")', `Glow;'=HYPERLINK("http://evil.example")`],
		['Glow; \u200b+1', `Glow; \u200b'+1`],
		['Glow\t@SUM(A1)', `Glow\t'@SUM(A1)`],
		['Glow\n"=1', `Glow\n"'=1`],
		['Glow,=1', `Glow,'=1`],
		[`Glow;'=1`, `Glow;''=1`],
	])('makes it harmless also where Excel splits at another delimiter: %j', async (title, safe) => {
		const disk = await written({}, [{ cells: ['x'], status: 'ready', title }]);
		const [columns = [], row] = parse(disk.text(RESULTS), { bom: true });
		expect(row?.[columns.indexOf('brief_title')]).toBe(safe);
		expect(disk.text(RESULTS)).toContain(`"${safe.replaceAll('"', '""')}"`);
	});

	it('leaves the user’s own formulas alone, and added cells that are none', async () => {
		const said = { error: 'No. It says: = 2', title: '10-second glow, -20 %' };
		const disk = await written({}, [{ cells: ['=A1+B1'], status: 'failed', ...said }]);
		expect(disk.text(RESULTS)).toContain(
			'\n=A1+B1,,failed,"10-second glow, -20 %",,,,No. It says: = 2,,\n',
		);
		expect(disk.text(FAILED)).toBe(`\ufeffproduct_name,${WHY}\n=A1+B1,failed,,No. It says: = 2\n`);
	});

	it('is rectangular even if the CSV is ragged', async () => {
		const disk = await written({ columns: ['a', 'b'] }, [
			{ cells: ['1'], status: 'invalid' },
			{ cells: ['1', '2', '3'], status: 'invalid' },
		]);
		const rows = parse(disk.text(RESULTS), { bom: true });
		expect(rows.map((row) => row.slice(0, 4))).toEqual([
			['a', 'b', 'brief_id', 'brief_status'],
			['1', '', '', 'invalid'],
			['1', '2', '', 'invalid'],
		]);
	});

	it('replaces the columns of an earlier one that the CSV has', async () => {
		const columns = ['SKU', 'brief_id', 'Note', 'brief_url'];
		const disk = await written({ columns }, [{ ...ready, cells: ['7', 'old', 'mine', 'old'] }]);
		const [header, row] = parse(disk.text(RESULTS), { bom: true });
		expect(header).toEqual(['SKU', 'Note', ...RESULT_COLUMNS]);
		expect(row?.slice(0, 4)).toEqual(['7', 'mine', 'b1', 'ready']);
	});
});
