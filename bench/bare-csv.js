// The peer of `brief-batch plan`: the loop from the documentation of csv-parse, which ignores the rows.
const { createReadStream } = require('node:fs');
const { parse } = require('csv-parse');

async function main() {
	let rows = 0;
	const records = createReadStream(process.argv[2]).pipe(parse({ columns: true, bom: true }));
	for await (const record of records) if (record !== null) rows += 1;
	console.log(rows);
}

void main();
