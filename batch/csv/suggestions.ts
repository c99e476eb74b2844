import { isUuid } from '../../service/api/uuid';
import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import { fieldOf, isLastResort, normalised, type Column } from './column-names';

/*
 * The columns that a person may have meant for a brief. Their headers may mean something else as well, so they are named
 * with the --map to type, and not sent.
 */

/** By header. "Offer" may be a price, and "USPs" may not be approved. */
const MAYBE: Readonly<Partial<Record<InputField, readonly string[]>>> = {
	audience: ['Persona', 'Buyer Persona', 'Cible', 'Public', 'Público'],
	approved_facts: [
		...['USP', 'USPs', 'Selling Points', 'Key Selling Points', 'Benefits', 'Key Benefits'],
		...['Features', 'Key Features', 'Bullet Points', 'Alleinstellungsmerkmale', 'Vorteile'],
		...['Verkaufsargumente', 'Produktmerkmale', 'Arguments de vente', 'Points forts', 'Avantages'],
		...['Ventajas', 'Beneficios', 'Argumentos de venta', 'Características'],
	],
	campaign_terms: [
		...['Commission', 'Commission Rate', 'Commission %', 'Offer', 'Deal', 'T&C', 'Conditions'],
		...['Provision', 'Provisionssatz', 'Angebot', 'Konditionen', 'Bedingungen', 'AGB'],
		...['Taux de commission', 'Offre', 'Conditions générales', 'Comisión', 'Tasa de comisión'],
		...['Porcentaje de comisión', 'Oferta', 'Condiciones'],
	],
	reference_urls: ['URL', 'Video', 'Videos', 'Video URL', 'Video Link', 'Website', 'Landing Page'],
};

const MAYBE_FIELD = new Map(
	INPUT_FIELDS.flatMap((field) => (MAYBE[field] ?? []).map((name) => [normalised(name), field])),
);

/**
 * Finds the columns that may serve a field without a column.
 * @param cells some rows below the header
 */
export function suggestions(
	columns: readonly Column[],
	cells: ReadonlyArray<readonly string[]>,
	servedFields: ReadonlySet<InputField>,
): Array<{ name: string; field: InputField }> {
	return columns.flatMap(({ header, name, place }) => {
		const field = isLastResort(header) ? 'reference_urls' : MAYBE_FIELD.get(normalised(header));
		if (field === undefined || servedFields.has(field)) return [];
		const texts = filledIn(cells, place);
		const fits = field !== 'reference_urls' || texts.every((text) => /^https:\/\//i.test(text));
		return texts.length > 0 && fits ? [{ name, field }] : [];
	});
}

const PRODUCT_WORD =
	/product|produkt|produit|artikel|article|artículo|item|name|title|titel|titre|título|nombre|bezeichnung|désignation|^nom\b/i;

/**
 * Finds the column whose cells look like product names, if possible one whose header says so; undefined if none does.
 */
export function likelyProduct(
	columns: readonly Column[],
	cells: ReadonlyArray<readonly string[]>,
): Column | undefined {
	const candidates = columns.filter(({ header, place }) => {
		const field = fieldOf(header)?.field ?? MAYBE_FIELD.get(normalised(header));
		if (field !== undefined && field !== 'product_name') return false;
		const texts = filledIn(cells, place);
		// A status, a brand and the like repeat in many rows.
		const isVaried = texts.length <= 3 || 2 * new Set(texts).size >= texts.length;
		return isVaried && 2 * texts.filter(isLikeName).length > texts.length;
	});
	return candidates.find(({ header }) => PRODUCT_WORD.test(header)) ?? candidates[0];
}

/** Checks that a text is neither a number, a date, a code, a link, an address nor a paragraph. */
function isLikeName(text: string): boolean {
	const isCode = !/\s/.test(text) && (/\d/.test(text) || /^[^a-z]*$/.test(text.slice(1)));
	const isLatin = /^[\0-\u024f]*$/.test(text);
	return (
		/\p{L}{2}/u.test(text) &&
		text.length <= 120 &&
		!(isLatin && isCode) &&
		!isUuid(text) &&
		!/^https?:|@|^\d{1,4}[-./]\d/i.test(text)
	);
}

function filledIn(cells: ReadonlyArray<readonly string[]>, place: number): string[] {
	return cells.map((row) => (row[place] ?? '').trim()).filter((text) => text !== '');
}
