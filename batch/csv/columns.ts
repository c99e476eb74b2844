import { INPUT_FIELDS, type ByField, type InputField } from '../../service/input/input';
import { spelling, withoutMarks } from '../../service/input/spelling';
import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { list } from '../text';

/** A column of a CSV. */
export interface Column {
	/** Its place in the header, from 0. */
	place: number;
	/** Its header as in the CSV. */
	header: string;
	/** Its name beside a row's number: its header, or its letters if it has none. */
	name: string;
	/** Its name within a sentence. */
	title: string;
}

export type FieldColumns = ReadonlyMap<InputField, Column>;

/** Columns that a person named with --map; - is for a column that is not read. */
export type HeaderMap = ReadonlyArray<{
	header: string;
	field: InputField | '-';
	/** Remembered, and not of this command: the CSV need not have the column. */
	mayBeMissing?: boolean;
}>;

/**
 * Names that people give to columns, the better ones before the bar: English names, links that can replace a missing
 * name, then both in German, French and Spanish. "ID" alone is missing on purpose: it is mostly the shop's own number,
 * and would give a brief about another product. So are Artikelnummer and Référence, and names that may mean something
 * else, such as Público and Bedingungen.
 */
const NAMES: Readonly<Record<InputField, string>> = {
	product_name:
		'Product, Name, Title, Product Title | Product URL, Product Link, Link | Produktname, Produktbezeichnung, Produkttitel, Produkt, Artikelname, Nom du produit, Nom de produit, Nom produit, Titre du produit, Produit, Nombre del producto, Nombre de producto, Nombre producto, Título del producto, Producto | Produktlink, Produkt-URL, Lien du produit, Lien produit, URL du produit, URL produit, Lien, Enlace del producto, Enlace de producto, URL del producto, URL de producto, Enlace',
	product_id:
		'Item ID || Produkt-ID, ID du produit, ID de produit, ID produit, ID del producto, ID de producto, ID producto',
	audience:
		'Target Audience, Target Group || Zielgruppe, Public cible, Audience cible, Groupe cible, Público objetivo, Grupo objetivo',
	objective:
		'Goal, Campaign Objective, Campaign Goal || Ziel, Kampagnenziel, Objectif, Objectif de la campagne, Objectif de campagne, Objetivo, Objetivo de la campaña, Objetivo de campaña',
	approved_facts:
		'Facts, Claims, Approved Claims, Product Claims, Key Claims, Key Facts, Product Facts || Fakten, Freigegebene Fakten, Wichtige Fakten, Produktfakten, Freigegebene Aussagen, Freigegebene Claims, Produktaussagen, Produktclaims, Faits, Faits approuvés, Faits validés, Faits clés, Allégations approuvées, Allégations validées, Allégations produit, Allégations du produit, Hechos, Hechos aprobados, Hechos clave, Datos clave, Claims aprobados, Afirmaciones aprobadas, Afirmaciones del producto',
	campaign_terms:
		'Terms, Terms and Conditions, Terms & Conditions || Kampagnenbedingungen, Kampagnenkonditionen, Teilnahmebedingungen, Conditions de la campagne, Conditions de campagne, Termes et conditions, Condiciones de la campaña, Condiciones de campaña, Términos y condiciones',
	creative_direction:
		'Direction, Creative || Kreative Richtung, Kreativrichtung, Direction créative, Direction artistique, Dirección creativa, Dirección artística',
	reference_urls:
		'Reference URL, Reference Links, Reference Link, References, Links, URLs || Referenzlinks, Referenz-URLs, Liens de référence, Liens, Enlaces de referencia, Enlaces',
};

/** Whole texts that say whether a column must be filled. */
export const REQUIREMENT_WORDS =
	'(?:conditionally |conditional )?(?:mandatory|required)|conditional|optional|recommended|(?:pflicht|muss)(?:feld|angabe)?|erforderlich|verpflichtend|optionales feld|obligatoire|facultati(?:f|ve)|optionnel(?:le)?|obligatorio|opcional';
const IN_BRACKETS = new RegExp(`[([](?:${REQUIREMENT_WORDS})[)\\]]`, 'g');

/**
 * Makes headers equal that differ only in case, spaces, underscores and hyphens, in marks that nobody sees, and in what
 * decorates them: *, : and (required).
 */
export function normalised(header: string): string {
	return withoutMarks(header)
		.normalize('NFKC')
		.toLowerCase()
		.replace(IN_BRACKETS, '')
		.replace(/[\s_*:-]+/g, '');
}

/**
 * Lower is better: 0 the field's exact name, 1 the same in another spelling (Product Name), and from 2 on `NAMES`.
 * Translations came later, and below all others they change the product of no row that could be ordered before.
 */
const RANKS = new Map<string, { field: InputField; rank: number }>();
const TRANSLATED_RANK = 4;
for (const rank of [1, 2, 3, 4, 5]) for (const field of INPUT_FIELDS) addNames(field, rank);

/** Adds names, also without their accents, which people leave out. */
function addNames(field: InputField, rank: number): void {
	const names = [field, ...NAMES[field].split('|')][rank - 1] ?? '';
	const withoutAccents = names.normalize('NFD').replace(/\p{Mn}/gu, '');
	for (const name of `${names},${withoutAccents}`.split(',').map(normalised))
		if (name !== '' && !RANKS.has(name)) RANKS.set(name, { field, rank });
}

/** The names of all fields, normalised. */
export const FIELD_NAMES: Iterable<string> = [...RANKS.keys()];

/** Gives the field that a header names, and how well it fits. */
export function fieldOf(header: string): { field: InputField; rank: number } | undefined {
	const match = RANKS.get(normalised(header));
	return match !== undefined && header.trim() === match.field ? { ...match, rank: 0 } : match;
}

/** Gives the fields that these headers name. */
export function knownFields(headers: readonly string[], map: HeaderMap): ReadonlySet<InputField> {
	const mappedTo = new Map(map.map(({ header, field }) => [normalised(header), field]));
	const fields = headers.map(
		(header) => mappedTo.get(normalised(header)) ?? fieldOf(header)?.field,
	);
	return new Set(fields.filter((field) => field !== undefined && field !== '-'));
}

/** Says whether two headers name the same column. */
export function isSameHeader(header: string, other: string): boolean {
	const name = normalised(header);
	return header === other || (name !== '' && name === normalised(other));
}

export function columnsOf(headers: readonly string[]): Column[] {
	return headers.map((header, place) => {
		const letters = columnLetters(place);
		const name = columnName(header);
		return name === ''
			? { place, header, name: letters, title: `column ${letters} (no header)` }
			: { place, header, name, title: quote(name) };
	});
}

/** Gives a header on one line, without blanks around it. */
export function columnName(header: string): string {
	return header.trim().replace(/\s+/g, ' ');
}

/** Gives a column's letters: A, B, … Z, AA, AB … */
export function columnLetters(place: number): string {
	const last = String.fromCharCode(65 + (place % 26));
	return place < 26 ? last : columnLetters(Math.floor(place / 26) - 1) + last;
}

/**
 * Finds the column of each field.
 * @throws {Stop} if several may be the one, or none is the product's name
 */
export function findColumns(
	columns: readonly Column[],
	{ map, set }: { map: HeaderMap; set: ByField },
): { fieldColumns: FieldColumns; notices: string[] } {
	const mappedColumns = map.map(({ header, field }) => ({
		field,
		column: columnNamed(columns, header, field),
	}));
	const others = columns.filter((each) => mappedColumns.every(({ column }) => column !== each));
	const fieldColumns = new Map<InputField, Column>();
	for (const field of INPUT_FIELDS) {
		const ofField = mappedColumns.filter((one) => one.field === field);
		const [column, other] = new Set(ofField.map((one) => one.column));
		if (column !== undefined && other !== undefined)
			throw new Stop(
				`--map gives ${field} to two columns, ${list([column.title, other.title])}.`,
				'Keep one of the two.',
			);
		const best = column ?? bestFor(field, others, set);
		if (best !== undefined) fieldColumns.set(field, best);
	}
	if (fieldColumns.size === 0) throw noHeader(columns);
	if (!fieldColumns.has('product_name') && set.product_name === undefined)
		throw new Stop(
			`No column is product_name, which every brief needs. The columns are ${allTitles(columns)}.`,
			`Say which one it is: ${mapExample(columns)}. Or give all rows the same: --set product_name=….`,
		);
	return { fieldColumns, notices: noticesOf(columns, fieldColumns) };
}

function columnNamed(columns: readonly Column[], name: string, field: string): Column {
	const headers = columns.map(({ header }) => header);
	const matches = placesOf(name, headers).flatMap((place) => columns[place] ?? []);
	const [column, other] = matches;
	if (column === undefined)
		throw new Stop(
			`--map "${name}=${field}": the CSV has no column “${name}”.`,
			`Its columns are ${allTitles(columns)}.`,
		);
	if (other === undefined) return column;
	const places = matches.map(({ place, title }) => `column ${columnLetters(place)}, ${title}`);
	throw new Stop(
		`--map "${name}=${field}" fits several columns: ${list(places)}.`,
		'Give them different headers.',
	);
}

/** Gives the places of the columns that an option may mean: those of just this header, otherwise of the same one. */
function placesOf(column: string, headers: readonly string[]): number[] {
	const all = headers.map((header, place) => ({ header, place }));
	const exact = all.filter(({ header }) => header.trim() === column.trim());
	const fits = exact.length > 0 ? exact : all.filter(({ header }) => isSameHeader(header, column));
	return fits.map(({ place }) => place);
}

/** Finds the column whose header fits the field best. */
function bestFor(field: InputField, columns: readonly Column[], set: ByField): Column | undefined {
	// Beside a product from --set, a translation would change which product is ordered.
	const isTranslated = field !== 'product_name' || set.product_name === undefined;
	const candidates = columns.flatMap((column) => {
		const match = fieldOf(column.header);
		if (match?.field !== field) return [];
		return match.rank < TRANSLATED_RANK || isTranslated ? [{ column, rank: match.rank }] : [];
	});
	const least = Math.min(...candidates.map(({ rank }) => rank));
	const best = candidates.filter(({ rank }) => rank === least).map(({ column }) => column);
	if (best.length < 2) return best[0];
	const [name = '', ...others] = best.map((column) => column.name);
	throw new Stop(
		`Several columns could be ${field}: ${list(best.map(({ title }) => title))}.`,
		others.includes(name)
			? 'Rename or remove all but one of them.'
			: `Say which one it is: --map "${name}=${field}".`,
	);
}

const PRODUCT_WORD =
	/product|produkt|produit|artikel|article|artículo|item|name|title|titel|titre|título|nombre|bezeichnung|désignation|商品/i;
const NUMBER_WORD =
	/(^|[^a-z])(id|no|nr|num|number|nummer|code|ref|url|link|price|preis|type)([^a-z]|$)|nummer/i;

/** Gives an example to copy, with a column that may well name the products if there is one. */
function mapExample(columns: readonly Column[]): string {
	const column = columns.find(
		({ header }) => PRODUCT_WORD.test(header) && !NUMBER_WORD.test(header),
	);
	return `--map "${column?.name ?? 'Header'}=product_name"`;
}

function noHeader(columns: readonly Column[]): Stop {
	const names = (columns[0]?.header ?? '').split(/[,;\t|]/).map((name) => name.replaceAll('"', ''));
	const isWholeLine =
		columns.length === 1 && names.length > 1 && names.some((name) => fieldOf(name) !== undefined);
	return isWholeLine
		? new Stop(
				`Each line is one cell in quotation marks: ${allTitles(columns)}.`,
				'Export the table again. If a spreadsheet shows it in a single column, have it split into columns there first.',
			)
		: new Stop(
				`The first row has no header that is known: ${allTitles(columns)}.`,
				`The first row must be the header, with a column “product_name”. If it is the header, say which column holds the product: ${mapExample(columns)}.`,
			);
}

function noticesOf(columns: readonly Column[], fieldColumns: FieldColumns): string[] {
	const parts = [...fieldColumns].map(([field, { name, title }]) =>
		name === field ? field : `${title} as ${field}`,
	);
	const usedColumns = new Set(fieldColumns.values());
	const titles = columns.filter((column) => !usedColumns.has(column)).map(({ title }) => title);
	return [
		`Columns read: ${parts.join(', ')}.`,
		...(titles.length > 0
			? [`Columns not sent, only carried through to the results: ${list(titles, 12)}.`]
			: []),
	];
}

function allTitles(columns: readonly Column[]): string {
	return list(
		columns.map(({ title }) => title),
		20,
	);
}

/**
 * Gives the place of a column that an option names.
 * @throws {Stop} if the CSV does not have it
 */
export function placeOfColumn(option: string, column: string, headers: readonly string[]): number {
	const place = placeIn(column, headers);
	if (place !== -1) return place;
	throw new Stop(
		`${option} names the column “${column}”, which the CSV does not have.`,
		`The nearest is “${nearest(headers, column)[0] ?? ''}”.`,
	);
}

/** Gives the same, or -1. */
export function placeIn(column: string, headers: readonly string[]): number {
	return placesOf(column, headers)[0] ?? -1;
}

/** Puts the texts first that are most like another one. */
export function nearest(texts: readonly string[], to: string): string[] {
	return [...texts].sort((a, b) => likeness(b, to) - likeness(a, to));
}

/** The share of the pairs of letters that two names have in common. */
function likeness(one: string, other: string): number {
	const [a, b] = [pairsOf(one), pairsOf(other)];
	return a.filter((pair) => b.includes(pair)).length / (a.length + b.length);
}

function pairsOf(name: string): string[] {
	const letters = Array.from(spelling(name));
	return letters.map((letter, at) => letter + (letters[at + 1] ?? ''));
}
