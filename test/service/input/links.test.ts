import { asUri, linksOf } from '../../../service/input/links';

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

describe('the URI of a link', () => {
	test.each([
		'https://a.example',
		"https://a.example:8443/x/~y;z=1,2/(a)!$&'*+@:?q=a/b?c&d=%C3%BC#part?1",
		'https://[2606:4700::1111]/x',
	])('is the link itself if it is one: %s', (link) => {
		expect(asUri(link)).toBe(link);
	});

	test.each([
		['https://a.example/größe?q=süß#ß', 'https://a.example/gr%C3%B6%C3%9Fe?q=s%C3%BC%C3%9F#%C3%9F'],
		['https://a.example/[1]?a[]={b}|^`', 'https://a.example/%5B1%5D?a%5B%5D=%7Bb%7D%7C%5E%60'],
		['https://a.example/"x"?y="z"', 'https://a.example/%22x%22?y=%22z%22'],
		['https://a.example/50%-off?100%', 'https://a.example/50%25-off?100%25'],
		['https://a.example/x#a#b', 'https://a.example/x#a%23b'],
		['https://münchen.example/x', 'https://xn--mnchen-3ya.example/x'],
		['https://a.example/😀', 'https://a.example/%F0%9F%98%80'],
		['https://a.example/%C3%BC/ü', 'https://a.example/%C3%BC/%C3%BC'],
	])('of %s is %s', (link, uri) => {
		expect(asUri(link)).toBe(uri);
		expect(asUri(uri)).toBe(uri);
	});
});
