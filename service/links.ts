/**
 * The links of one text, such as a cell of a sheet, separated by white space, by |, or by a comma or semicolon before
 * the next link.
 */
export function linksOf(text: string): string[] {
	const links = text.split(/[,;]?[\s|]|[,;](?=https?:\/\/)/);
	return links.filter((link) => link !== '');
}
