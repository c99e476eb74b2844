import { findLinkProblem, splitLinks, toUri } from '../../../core/input/links';

test.each([
	['https://a.example', ['https://a.example']],
	['https://a.example https://b.example', ['https://a.example', 'https://b.example']],
	['https://a.example\nhttps://b.example\n', ['https://a.example', 'https://b.example']],
	[' https://a.example |https://b.example| ', ['https://a.example', 'https://b.example']],
	['https://a.example, https://b.example', ['https://a.example', 'https://b.example']],
	['https://a.example;https://b.example', ['https://a.example', 'https://b.example']],
	['https://a.example,http://b.example', ['https://a.example', 'http://b.example']],
	['https://a.example,  |\t https://b.example', ['https://a.example', 'https://b.example']],
	['https://a.example/?q=1,2;3', ['https://a.example/?q=1,2;3']],
	['', []],
])('the links of the text %j are %j', (text, links) => {
	expect(splitLinks(text)).toEqual(links);
});

describe('a public link', () => {
	test.each([
		...['https://example.com', 'https://example.com./path', 'HTTPS://WWW.EXAMPLE.COM/a?b=c#d'],
		...['https://example.com:8443/x', 'https://bücher.example/ü', 'https://8.8.8.8/'],
		...['https://xn--bcher-kva.example', 'https://localhost.example.com/'],
		...['https://[2606:4700:4700::1111]/', 'https://10.example.com/', 'https://172.32.0.1/'],
	])('%s is valid', (link) => expect(findLinkProblem(link)).toBeNull());

	test.each([
		['http://example.com', 'starts with http:// instead of https://'],
		['ftp://example.com', 'starts with ftp:// instead of https://'],
		['www.example.com/x', 'is not a link'],
		['', 'is not a link'],
		['https://', 'is not a link'],
		['https:example.com', 'does not start with https://'],
		['https:example.com/https://b.example', 'does not start with https://'],
		['https://user@example.com', 'contains a user name or a password'],
		['https://:secret@example.com', 'contains a user name or a password'],
	])('%p %s', (link, problem) => expect(findLinkProblem(link)).toBe(problem));

	test.each([
		...['localhost', 'localhost.', 'LOCALHOST:3000', 'box', '1box', 'nas.local', 'nas.local.'],
		...['wiki.internal', 'a.home.arpa', 'x.lan', 'x.corp'],
		...['127.0.0.1', '0x7f.1', '10.0.0.1', '192.168.1.1', '169.254.169.254', '172.16.0.1'],
		...['100.64.0.1', '0.0.0.0', '[::1]', '[::]', '[::ffff:10.0.0.1]', '[fd00::1]', '[fe80::1]'],
	])('cannot point to the private host %s', (host) => {
		expect(findLinkProblem(`https://${host}/`)).toBe('points to a private network');
	});
});

describe('the URI of a link', () => {
	test.each([
		'https://a.example',
		"https://a.example:8443/x/~y;z=1,2/(a)!$&'*+@:?q=a/b?c&d=%C3%BC#part?1",
		'https://[2606:4700::1111]/x',
	])('is the link itself if the link is a URI: %s', (link) => expect(toUri(link)).toBe(link));

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
		expect(toUri(link)).toBe(uri);
		expect(toUri(uri)).toBe(uri);
	});
});
