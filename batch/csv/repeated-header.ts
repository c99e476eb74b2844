import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { list } from '../text';
import { fieldOf, normalised, type FieldColumns } from './columns';
import { textsIn, type Header } from './header-row';

/** A record below the header. */
export interface CsvLine {
	/** Its row. */
	number: number;
	cells: string[];
	/** Whether the name of a column is in the product's column. */
	mayBeHeader?: boolean;
}

/** Finds the header in the middle of a file, as in several exports that were joined. */
export class RepeatedHeader {
	/** The header's names, without quotation marks that stay behind a byte order mark. */
	private readonly names: readonly string[];
	private readonly allNames: ReadonlySet<string>;
	private readonly fieldPlaces: readonly number[];
	private readonly product: number;

	constructor({ columns }: Header, fieldColumns: FieldColumns) {
		this.names = columns.map(({ header }) => nameIn(header));
		this.allNames = new Set(this.names);
		this.fieldPlaces = [...fieldColumns.values()].map(({ place }) => place);
		this.product = fieldColumns.get('product_name')?.place ?? this.fieldPlaces[0] ?? 0;
	}

	/** Checks if each field with a column has a name of it there, as in the other header lines of a template. */
	namesFields(cells: readonly string[]): boolean {
		return this.fieldPlaces.every((place) => {
			const [name, here] = [this.names[place] ?? '', nameIn(cells[place] ?? '')];
			return name === here || (fieldOf(name) !== undefined && fieldIn(name) === fieldIn(here));
		});
	}

	/**
	 * Checks if a line repeats the header, perhaps in another spelling.
	 * @throws {Stop} if its columns have another order: what is below would be read as other fields
	 */
	isRepeatedIn(line: CsvLine): boolean {
		const { cells, number } = line;
		if (!this.isName(cells[this.product] ?? '')) return false;
		line.mayBeHeader = true;
		if (this.fieldPlaces.length > 1 && this.namesFields(cells)) return true;
		if (this.names.every((name, at) => name === nameIn(cells[at] ?? ''))) return true;
		const texts = textsIn(cells);
		const isOfProduct = (text: string) =>
			nameIn(text) === this.names[this.product] || fieldIn(nameIn(text)) === 'product_name';
		const isHeader =
			texts.length > 1 && texts.every((text) => this.isName(text)) && texts.some(isOfProduct);
		if (!isHeader) return false;
		throw new Stop(
			`Row ${number} is a second header with its columns in another order: ${list(texts.map(quote))}.`,
			'Bring the columns of both parts into one order, or run each part as a file of its own.',
		);
	}

	private isName(text: string): boolean {
		if (text.length > LONGEST_NAME) return false;
		const name = nameIn(text);
		return name !== '' && (this.allNames.has(name) || fieldOf(name) !== undefined);
	}
}

/** No header that is known is longer. */
const LONGEST_NAME = 60;

function nameIn(text: string): string {
	return normalised(text.replaceAll('"', ''));
}

function fieldIn(name: string): string | undefined {
	return fieldOf(name)?.field;
}
