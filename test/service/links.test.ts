import { linksOf } from '../../service/links';

test.each([
	['https://a.example', ['https://a.example']],
	['https://a.example https://b.example', ['https://a.example', 'https://b.example']],
	['https://a.example\nhttps://b.example\n', ['https://a.example', 'https://b.example']],
	[' https://a.example |https://b.example| ', ['https://a.example', 'https://b.example']],
	['https://a.example, https://b.example', ['https://a.example', 'https://b.example']],
	['https://a.example;https://b.example', ['https://a.example', 'https://b.example']],
	['https://a.example;;https://b.example', ['https://a.example;', 'https://b.example']],
	['https://a.example,http://b.example', ['https://a.example', 'http://b.example']],
	['https://a.example,  |\t https://b.example', ['https://a.example', 'https://b.example']],
	['https://a.example/?q=1,2;3', ['https://a.example/?q=1,2;3']],
	['', []],
])('the links of the cell %j are %j', (cell, links) => {
	expect(linksOf(cell)).toEqual(links);
});
