import { testCsvs } from '../support/read-csv';

/* The delimiters, line ends and quotation marks of well-formed CSVs are in csv-fuzz.test.ts. */

describe('delimiters', () => {
	testCsvs([
		[
			'reads commas next to cells with more semicolons',
			'Name,Goal\na; b; c;,d; e\n',
			'2 a; b; c;; objective: d; e',
		],
		[
			'reads semicolons next to texts with more commas than columns',
			'Name;Facts\nMug;a, b, c, d\nPan;e, f, g\n',
			'2 Mug; approved_facts: a, b, c, d\n3 Pan; approved_facts: e, f, g',
		],
		['reads quoted headers with another delimiter', '"Name","Goal; or aim"\nSoap,a', '2 Soap'],
		[
			'reads a single column of names that contain commas',
			'Product\n"Soap, mild, 100 g"\n"Mug, blue"\n',
			'2 Soap, mild, 100 g\n3 Mug, blue',
		],
		[
			'finds the delimiter by a header that only --map knows',
			'Artikel, kurz;Preis\nSoap;3\n',
			'2 Soap',
			{ map: { 'Artikel, kurz': 'product_name' } },
		],
		[
			'finds the delimiter by another field if --set supplies the product',
			'Audience;Goal\nCooks, bakers;sell\n',
			'2 Soap; audience: Cooks, bakers; objective: sell',
			{ set: { product_name: 'Soap' } },
		],
		[
			'reads the delimiter of a header below titles that contain another',
			'Shop, spring, 2027, all\n\nName;Goal\nSoap, mild;sell, now, or never\n',
			'4 Soap, mild; objective: sell, now, or never',
		],
		[
			'reads sep=; without counting it as a row',
			'sep=;\nName;Goal\nMug,a;b',
			'2 Mug,a; objective: b',
		],
		['reads a quoted "SEP=," after a byte-order mark', '\ufeff"SEP=,"\r\nName\r\nMug', '2 Mug'],
		[
			'does not read sep=| as a delimiter',
			'sep=|\nName|Audience\nMug|Bakers\n',
			'ERROR No column is named product_name. The first line is “sep=|”.',
		],
	]);
});

describe('row numbers', () => {
	testCsvs([
		['count three kinds of line ends', 'Name\r\nMug\rPan\nCup', '2 Mug\n3 Pan\n4 Cup'],
		[
			'count blank lines',
			'Name,Goal\n\nMug,a\n,\nPan,b',
			'3 Mug; objective: a\n5 Pan; objective: b',
		],
	]);
});

describe('quotation marks', () => {
	testCsvs([
		[
			'are text inside a cell, such as inches',
			'Name\nPan 12"\n"Pot ""Pro"""',
			'2 Pan 12"\n3 Pot "Pro"',
		],
		[
			'make a row with text after a closing quotation mark invalid',
			'Name,Goal\n"Pan" x,Cooks\nMug,a\n',
			'2 INVALID\n3 Mug; objective: a',
		],
		[
			'make a row invalid that swallows the next row up to another quotation mark',
			'Goal,Name\na,Soap\nb,"Mug\nc,Pan\nd,"Cup, blue"\ne,Pot\n',
			'2 Soap; objective: a\n3 INVALID\n4 Pot; objective: e',
		],
		[
			'are refused with text after a closing quotation mark in the header',
			'"Name" x,Audience\nMug,a\n',
			'ERROR The header cannot be read, because of row 1.',
		],
		[
			'are refused with their row if they are never closed in a large file',
			`Name,Goal\nSoap,"a\n${'Mug and more,b\n'.repeat(100_000)}`,
			'ERROR Row 2 opens a quotation mark (") that is never closed.',
		],
		[
			'are refused around whole lines',
			'"Product Name,Audience"\n"Mug,Bakers"\n',
			'ERROR No column is named product_name. The first line is “Product Name,Audience”.',
		],
	]);
});
