import { testCsvs } from '../support/read-csv';

describe('delimiters', () => {
	testCsvs([
		['reads commas', 'Product Name,Audience\nMug,Bakers\n', ['2 Mug; audience: Bakers']],
		[
			'reads semicolons next to cells with commas',
			'Name;Audience\nMug;Bakers, cooks\n',
			['2 Mug; audience: Bakers, cooks'],
		],
		[
			'reads tabs next to cells with semicolons',
			'Name\tAudience\nMug\tBakers; cooks\n',
			['2 Mug; audience: Bakers; cooks'],
		],
		[
			'reads commas next to cells with more semicolons',
			'Name,Goal\na; b; c;,d; e\n',
			['2 a; b; c;; objective: d; e'],
		],
		[
			'reads semicolons next to texts with more commas than columns',
			'Name;Facts\nMug;a, b, c, d\nPan;e, f, g\n',
			['2 Mug; approved_facts: a, b, c, d', '3 Pan; approved_facts: e, f, g'],
		],
		[
			'reads semicolons next to quoted line breaks with commas',
			'Name;Goal\n"Mug\nred, big";"sell\n, more"\n',
			['2 Mug\nred, big; objective: sell\n, more'],
		],
		[
			'reads quoted headers that contain another delimiter',
			'"Name","Goal; or aim"\nSoap,sell\n',
			['2 Soap'],
		],
		[
			'reads a single column of names that contain commas',
			'Product\n"Soap, mild, 100 g"\n"Mug, blue"\n',
			['2 Soap, mild, 100 g', '3 Mug, blue'],
		],
		[
			'finds the delimiter by a header that only --map knows',
			'Artikel, kurz;Preis\nSoap;3\n',
			['2 Soap'],
			{ map: { 'Artikel, kurz': 'product_name' } },
		],
		[
			'reads vertical bars as text',
			'Name|Audience\nMug|Bakers\n',
			['ERROR 2 No column is named product_name. Columns found: “Name|Audience”.'],
		],
		[
			'reads a line sep=; without counting it as a row',
			'sep=;\nName;Audience\nMug;Bakers\n',
			['2 Mug; audience: Bakers'],
		],
		[
			'reads a quoted line "SEP=," after a byte-order mark',
			'\ufeff"SEP=,"\r\nName,Audience\r\nMug,Bakers\r\n',
			['2 Mug; audience: Bakers'],
		],
		[
			'does not read a line sep=| as a delimiter',
			'sep=|\nName|Audience\nMug|Bakers\n',
			['ERROR 2 No column is named product_name. Columns found: “sep=|”.'],
		],
	]);
});

describe('row numbers', () => {
	testCsvs([
		['counts three kinds of line ends', 'Name\r\nMug\rPan\nCup', ['2 Mug', '3 Pan', '4 Cup']],
		[
			'counts blank lines',
			'Name,Goal\n\nMug,a\n,\nPan,b\n',
			['3 Mug; objective: a', '5 Pan; objective: b'],
		],
		[
			'counts a cell with a line break as one row, as spreadsheets do',
			'Name,Goal\n"Mug\nred",a\nPan,b\n',
			['2 Mug\nred; objective: a', '3 Pan; objective: b'],
		],
	]);
});

describe('quotation marks', () => {
	testCsvs([
		['reads inch marks as text', 'Name,Audience\nPan 12",Cooks\n', ['2 Pan 12"; audience: Cooks']],
		['reads doubled marks as one mark', 'Name\n"Pan ""Pro"""\n', ['2 Pan "Pro"']],
		[
			'makes a row with text after a closing mark invalid',
			'Name,Audience\n"Pan" x,Cooks\nMug,a\n',
			['2 INVALID', '3 Mug; audience: a'],
		],
		[
			'makes a row invalid that swallows the next row up to another mark',
			'Goal,Name\na,Soap\nb,"Mug\nc,Pan\nd,"Cup, blue"\ne,Pot\n',
			['2 Soap; objective: a', '3 INVALID', '4 Pot; objective: e'],
		],
		[
			'refuses text after a closing mark in the header',
			'"Name" x,Audience\nMug,a\n',
			['ERROR 2 The header cannot be read, because of row 1.'],
		],
		[
			'refuses a mark that is never closed, with its row',
			'Name\n"Mug\nPan\n',
			['ERROR 2 Row 2 opens a quotation mark (") that is never closed.'],
		],
		[
			'refuses a mark that swallows a large file, with its row',
			`Name,Goal\nSoap,"a\n${'Mug and more,b\n'.repeat(100_000)}`,
			['ERROR 2 Row 2 opens a quotation mark (") that is never closed.'],
		],
		[
			'refuses lines that were saved as one quoted cell each',
			'"Product Name,Audience"\n"Mug,Bakers"\n',
			['ERROR 2 No column is named product_name. Columns found: “Product Name,Audience”.'],
		],
	]);
});
