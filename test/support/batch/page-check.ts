import { COPYING, SEARCHING } from '../../../batch/page/script';

const VOID = new Set(['meta', 'br', 'hr', 'input']);

const TAGS = new Set(
	[
		'html head meta title style body nav main header footer section article details summary figure figcaption',
		'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd div span b i bdi br hr a em strong s code pre blockquote',
		'table thead tbody tr th td input button output',
	].flatMap((names) => names.split(' ')),
);

const ATTRIBUTES = new Set(
	[
		'lang charset http-equiv content name id class style href rel target title open dir scope start role',
		'type value placeholder autocomplete spellcheck hidden aria-pressed aria-live',
		'aria-label aria-labelledby aria-hidden tabindex',
	].flatMap((names) => names.split(' ')),
);

const TAG = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z0-9-]+(?:="[^"<>]*")?)*) ?(\/?)>/;

const STYLE =
	/^(?:flex-grow:\d+|text-align:(?:left|right|center)|left:[\d.]+%;width:[\d.]+%|--columns:[\d.a-z(), ]+)$/;

/** Links that a page may have: the web, a place on itself, and the files beside it. */
const LINK =
	/^(?:https?:\/\/[^\s"'<>]+|#[a-z0-9-]+|results\.csv|results\/[\p{L}\p{N}\p{M}-]+\.(?:md|json))$/u;

/**
 * Reads a page strictly, as no browser does, and names all that a report may not have: tags and
 * attributes that it does not use, tags that are not closed in order, other links, other styles.
 */
export function problemsOf(page: string): string[] {
	const problems: string[] = [];
	const stack: string[] = [];
	const body = page
		.replace(/^<!doctype html>\n/, '')
		.replace(/<style>[^<]*<\/style>/, '')
		.replace(`<script>${SEARCHING}</script>`, '')
		.replace(`<script>${COPYING}</script>\n</body>`, '</body>');
	for (let at = body.indexOf('<'); at >= 0; at = body.indexOf('<', at + 1)) {
		const tag = TAG.exec(body.slice(at, at + 100_000));
		if (tag === null) {
			problems.push(`No tag: ${body.slice(at, at + 60)}`);
			continue;
		}
		const [, closing, name = '', attributes = '', selfClosing] = tag;
		if (!TAGS.has(name)) problems.push(`<${name}>`);
		problems.push(...attributeProblems(name, attributes));
		if (closing === '/') {
			if (stack.pop() !== name) problems.push(`</${name}> closes another tag`);
		} else if (selfClosing !== '/' && !VOID.has(name)) stack.push(name);
	}
	if (stack.length > 0) problems.push(`not closed: ${stack.join(' ')}`);
	if (/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u.test(page.replace(/[\n\t]/g, '')))
		problems.push('characters that are not seen');
	return problems;
}

function attributeProblems(tag: string, attributes: string): string[] {
	const problems: string[] = [];
	for (const [, name = '', value = ''] of attributes.matchAll(/ ([a-z0-9-]+)(?:="([^"]*)")?/g)) {
		if (!ATTRIBUTES.has(name)) problems.push(`<${tag} ${name}>`);
		if (name === 'href' && !LINK.test(value)) problems.push(`href ${value}`);
		if (name === 'style' && !STYLE.test(value)) problems.push(`style ${value}`);
	}
	return problems;
}
