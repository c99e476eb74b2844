import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import { quote } from '../../service/shortened-text';

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

/** Columns that a person named with --map; - is for one that is not read. One of an earlier run may be missing in this CSV. */
export type HeaderMap = ReadonlyArray<{
	header: string;
	field: InputField | '-';
	mayBeMissing?: boolean;
}>;

/**
 * Names that people give to columns. The field's own name, however it is written, is preferred. "ID" alone is missing
 * on purpose: it is mostly the shop's own number, and would give a brief about another product.
 */
const ALIASES: Readonly<Record<InputField, readonly string[]>> = {
	product_name: ['Product', 'Name', 'Title', 'Product Title'],
	product_id: ['Item ID'],
	audience: ['Target Audience', 'Target Group'],
	objective: ['Goal', 'Campaign Objective', 'Campaign Goal'],
	approved_facts: [
		...['Facts', 'Claims', 'Approved Claims', 'Product Claims', 'Key Claims', 'Key Facts'],
		'Product Facts',
	],
	campaign_terms: ['Terms', 'Terms and Conditions', 'Terms & Conditions'],
	creative_direction: ['Direction', 'Creative'],
	reference_urls: [
		...['Reference URL', 'Reference Links', 'Reference Link'],
		...['References', 'Links', 'URLs'],
	],
};

/** Used only if no column has one of the names above: a link can replace a missing name. */
const LAST_RESORT: Readonly<Partial<Record<InputField, readonly string[]>>> = {
	product_name: ['Product URL', 'Product Link', 'Link'],
};

/**
 * The same in German, French and Spanish, for fields without an English name. Ambiguous names are missing:
 * Artikelnummer, Référence and Referencia are the shop's own number, Público and Public may say that a page is public,
 * Bedingungen and Conditions may be terms of payment.
 */
const TRANSLATIONS: Readonly<Record<InputField, readonly string[]>> = {
	product_name: [
		...['Produktname', 'Produktbezeichnung', 'Produkttitel', 'Produkt', 'Artikelname'],
		...['Nom du produit', 'Nom de produit', 'Nom produit', 'Titre du produit', 'Produit'],
		...['Nombre del producto', 'Nombre de producto', 'Nombre producto', 'Título del producto'],
		'Producto',
	],
	product_id: [
		...['Produkt-ID', 'ID du produit', 'ID de produit', 'ID produit'],
		...['ID del producto', 'ID de producto', 'ID producto'],
	],
	audience: [
		...['Zielgruppe', 'Public cible', 'Audience cible', 'Groupe cible'],
		...['Público objetivo', 'Grupo objetivo'],
	],
	objective: [
		...['Ziel', 'Kampagnenziel', 'Objectif', 'Objectif de la campagne', 'Objectif de campagne'],
		...['Objetivo', 'Objetivo de la campaña', 'Objetivo de campaña'],
	],
	approved_facts: [
		...['Fakten', 'Freigegebene Fakten', 'Wichtige Fakten', 'Produktfakten'],
		...['Freigegebene Aussagen', 'Freigegebene Claims', 'Produktaussagen', 'Produktclaims'],
		...['Faits', 'Faits approuvés', 'Faits validés', 'Faits clés', 'Allégations approuvées'],
		...['Allégations validées', 'Allégations produit', 'Allégations du produit'],
		...['Hechos', 'Hechos aprobados', 'Hechos clave', 'Datos clave', 'Claims aprobados'],
		...['Afirmaciones aprobadas', 'Afirmaciones del producto'],
	],
	campaign_terms: [
		...['Kampagnenbedingungen', 'Kampagnenkonditionen', 'Teilnahmebedingungen'],
		...['Conditions de la campagne', 'Conditions de campagne', 'Termes et conditions'],
		...['Condiciones de la campaña', 'Condiciones de campaña', 'Términos y condiciones'],
	],
	creative_direction: [
		...['Kreative Richtung', 'Kreativrichtung', 'Direction créative', 'Direction artistique'],
		...['Dirección creativa', 'Dirección artística'],
	],
	reference_urls: [
		...['Referenzlinks', 'Referenz-URLs', 'Liens de référence', 'Liens'],
		...['Enlaces de referencia', 'Enlaces'],
	],
};

const LAST_RESORT_TRANSLATIONS: typeof LAST_RESORT = {
	product_name: [
		...['Produktlink', 'Produkt-URL', 'Lien du produit', 'Lien produit', 'URL du produit'],
		...['URL produit', 'Lien', 'Enlace del producto', 'Enlace de producto', 'URL del producto'],
		...['URL de producto', 'Enlace'],
	],
};

const NAMES = [ALIASES, LAST_RESORT, TRANSLATIONS, LAST_RESORT_TRANSLATIONS];

/**
 * Lower is better: 0 the field's exact name, 1 the same in another spelling (Product Name), and from 2 on `NAMES`.
 * Translations came later, and below all others they change the product of no row that could be ordered before.
 */
const RANKS = new Map<string, { field: InputField; rank: number }>();
for (const field of INPUT_FIELDS) addName(field, field, 1);
for (const [place, names] of NAMES.entries())
	for (const field of INPUT_FIELDS)
		for (const name of names[field] ?? []) addName(name, field, place + 2);

/** Adds a name, also without its accents, which people leave out. */
function addName(name: string, field: InputField, rank: number): void {
	for (const form of [normalised(name), normalised(withoutAccents(name))])
		if (!RANKS.has(form)) RANKS.set(form, { field, rank });
}

export const FIRST_TRANSLATED_RANK = NAMES.indexOf(TRANSLATIONS) + 2;

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

/** Checks if a header names links of products, which are products only if no column names those. */
export function isLastResort(header: string): boolean {
	const rank = fieldOf(header)?.rank;
	return rank === 3 || rank === 5;
}

function withoutAccents(text: string): string {
	return text.normalize('NFD').replace(/\p{Mn}/gu, '');
}

/** Makes headers equal that differ only in case, spaces, underscores and hyphens. */
export function normalised(header: string): string {
	return header
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[\s_\-\ufeff]+/g, '');
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
