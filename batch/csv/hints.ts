import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import { oddName } from '../../service/input/signs';
import { spelling } from '../../service/input/spelling';
import { quote } from '../../service/shortened-text';
import { groupBy } from '../group-by';
import { list } from '../text';
import { columnsOf, fieldOf, isSameHeader, normalised } from './columns';
import type { Row } from './row';
import type { Table } from './table';

/**
 * Gives what a person may want to change before rows are paid for. All of it is probable, none of it certain, so the
 * rows are ordered as they are.
 * @param toOrder the rows that a run would order
 * @param isFiltered whether a --where chooses the rows already
 */
export function hints(table: Table, toOrder: readonly Row[], isFiltered: boolean): string[] {
	if (toOrder.length === 0) return [];
	return [
		...unsentColumns(table),
		...(isFiltered ? [] : stateNotices(table)),
		...productsWithSeveralNames(toOrder),
		...oddNames(toOrder),
	];
}

/** Columns that may be meant for a field. Their headers may mean something else, so they are named, and not sent. */
const MAYBE: Readonly<Partial<Record<InputField, string>>> = {
	audience: 'Persona, Buyer Persona, Cible, Public, Público',
	approved_facts:
		'USP, USPs, Selling Points, Key Selling Points, Benefits, Key Benefits, Features, Key Features, Bullet Points, Alleinstellungsmerkmale, Vorteile, Verkaufsargumente, Produktmerkmale, Arguments de vente, Points forts, Avantages, Ventajas, Beneficios, Argumentos de venta, Características',
	campaign_terms:
		'Commission, Commission Rate, Commission %, Offer, Deal, T&C, Conditions, Provision, Provisionssatz, Angebot, Konditionen, Bedingungen, AGB, Taux de commission, Offre, Conditions générales, Comisión, Tasa de comisión, Porcentaje de comisión, Oferta, Condiciones',
	reference_urls: 'URL, Video, Videos, Video URL, Video Link, Website, Landing Page',
};

const MAYBE_FIELD = new Map(
	INPUT_FIELDS.flatMap((field) =>
		(MAYBE[field]?.split(',') ?? []).map((name) => [normalised(name), field] as const),
	),
);

/** Enough rows to judge what a column holds. */
const ROWS_JUDGED = 50;

/** Gives the columns that may have been meant for the briefs, each with the --map to type. */
function unsentColumns({ columns, rows, headers, set, map }: Table): string[] {
	return columnsOf(columns).flatMap(({ header, name, place }) => {
		// Links of products, whose names are in another column.
		const isOfProduct = fieldOf(header)?.field === 'product_name';
		const field = isOfProduct ? 'reference_urls' : MAYBE_FIELD.get(normalised(header));
		const isServed =
			field === undefined || headers[field] !== undefined || set[field] !== undefined;
		const isRead =
			Object.values(headers).includes(header) ||
			map.some((one) => isSameHeader(one.header, header));
		if (isServed || isRead) return [];
		const texts = rows
			.slice(0, ROWS_JUDGED)
			.map(({ cells }) => (cells[place] ?? '').trim())
			.filter((text) => text !== '');
		const fits = field !== 'reference_urls' || texts.every((text) => /^https:\/\//i.test(text));
		return texts.length > 0 && fits
			? [
					`${quote(name)} is not sent. If it holds the ${field}, map it before you order (later, every row would count as changed): --map "${name}=${field}".`,
				]
			: [];
	});
}

/** Values by which systems say whether a product is sold. */
const STATES = new Set(
	'active inactive archived draft published unpublished unlisted enabled disabled discontinued available unavailable hidden visible live aktiv inaktiv archiviert entwurf actif inactif archivé brouillon activo inactivo archivado borrador'.split(
		' ',
	),
);

/** A shop's sizes and colours, which are rows of their own below their product. */
const VARIATION = /^variation(,|$)/;

/** A column of more values does not speak of a state. */
const MOST_VALUES = 6;

/** Names the columns that say which rows are on sale, or are products, for a person to choose by. */
function stateNotices({ columns, rows }: Table): string[] {
	return columnsOf(columns).flatMap(({ header, name, place }) => {
		// A --where cannot name it.
		if (header.trim() === '') return [];
		const counts = new Map<string, { spelt: string; rows: number }>();
		for (const { cells } of rows) {
			const spelt = (cells[place] ?? '').trim();
			const before = counts.get(spelt.toLowerCase());
			if (before !== undefined) before.rows += 1;
			else counts.set(spelt.toLowerCase(), { spelt, rows: 1 });
			if (counts.size > MOST_VALUES) return [];
		}
		const values = [...counts].filter(([value]) => value !== '');
		const [most] = values.sort(([, a], [, b]) => b.rows - a.rows);
		if (most === undefined || counts.size < 2) return [];
		const wheres = values.some(([value]) => STATES.has(value))
			? [`${name}=${most[1].spelt}`]
			: values
					.filter(([value]) => VARIATION.test(value))
					.map(([, { spelt }]) => `${name}!=${spelt}`);
		if (wheres.length === 0) return [];
		const text = values.map(([, value]) => `${value.rows} ${value.spelt}`).join(', ');
		const options = wheres.map((where) => `--where "${where}"`).join(' ');
		return [`${name}: ${text}. To leave some out: ${options}`];
	});
}

/** Names products with several names, which may be right, or come from a wrong ID beside one of them. */
function productsWithSeveralNames(rows: readonly Row[]): string[] {
	const firstRows = new Map<string, Row>();
	const idsShared = new Set<string>();
	for (const row of rows) {
		const { product_id: id, product_name: name } = row.input;
		if (id === undefined) continue;
		const first = firstRows.get(id);
		if (first === undefined) firstRows.set(id, row);
		else if (spelling(first.input.product_name) !== spelling(name)) idsShared.add(id);
	}
	const [id] = idsShared;
	if (id === undefined) return [];
	const its = rows.filter(({ input }) => input.product_id === id);
	const byName = groupBy(its, ({ input }) => spelling(input.product_name));
	const firsts = [...byName.values()].flatMap((group) => group.slice(0, 1));
	const numbers = list(firsts.map(({ number }) => String(number)));
	const names = list(firsts.map(({ input }) => quote(input.product_name)));
	const others = idsShared.size - 1;
	const more = others === 0 ? '' : `, and so ${others === 1 ? 'is' : 'are'} ${others} more`;
	return [
		`Product ID ${id} is in rows ${numbers} under different names, ${names}${more}. Check the IDs: each of these rows is ordered.`,
	];
}

/** Names products that may be numbers or broken links. */
function oddNames(rows: readonly Row[]): string[] {
	const texts = rows.flatMap(({ number, input }) => {
		const what = oddName(input.product_name);
		return what === null ? [] : [`row ${number}, ${what}`];
	});
	if (texts.length === 0) return [];
	return [`Sent as names like any other: ${list(texts, 3)}.`];
}
