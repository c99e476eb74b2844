import { join } from 'node:path';
import { readMap, readSet } from '../../../batch/cli/values';
import { readTable } from '../../../batch/csv/read-table';
import { DEFAULT_CSV_OPTIONS, isUsable, type Table } from '../../../batch/csv/types';
import { GOLDEN_CSVS, readGoldenRows, type GoldenCsv } from '../../golden/golden-rows';

async function readGolden({ file, options = {} }: GoldenCsv): Promise<Table> {
	const { map = [], set = [], encoding = null } = options;
	const csvOptions = { ...DEFAULT_CSV_OPTIONS, map: readMap(map), set: readSet(set), encoding };
	return await readTable(join(__dirname, '../../golden/csv', file), csvOptions);
}

/** CSVs with delimiters other than comma, semicolon and tab. */
const REFUSED = ['mac.csv', 'numbers.csv'];

test.each(GOLDEN_CSVS.filter(({ file }) => !REFUSED.includes(file)))(
	'$file is read with its golden rows and damage',
	async (golden) => {
		const { rows } = await readGolden(golden);
		const read = rows.map(({ kind, number, input }) =>
			kind === 'invalid' ? { number, refused: true } : { number, input },
		);
		expect(read).toEqual(readGoldenRows(golden));
		const damaged = rows.filter(isUsable).filter(({ warnings }) => warnings.length > 0);
		expect(damaged.map(({ number }) => number)).toEqual(golden.damaged ?? []);
	},
);

test.each(GOLDEN_CSVS.filter(({ file }) => REFUSED.includes(file)))(
	'$file is refused for its delimiter',
	async (golden) => {
		await expect(readGolden(golden)).rejects.toThrow('No column is named product_name');
	},
);
