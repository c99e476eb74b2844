// The least that reading a journal can take: JSON.parse of each of its lines.
const { readFileSync } = require('node:fs');

const text = readFileSync(process.argv[2]);
for (let start = 0, end; (end = text.indexOf(10, start)) >= 0; start = end + 1)
	JSON.parse(text.toString('utf8', start, end));
