import { createHash } from 'node:crypto';

/**
 * The search box and the buttons above the rows. Without it the page shows all rows. It reads what the page
 * shows, and writes numbers only.
 */
export const SEARCHING = `
const list = document.getElementById('rows');
const tools = document.getElementById('find');
const box = tools.querySelector('input');
const buttons = [...tools.querySelectorAll('button')];
const rows = [...list.children];
let texts = null;

function show() {
	texts ??= rows.map(searchText);
	const words = box.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
	const statuses = buttons.filter(isOn).map((button) => button.value);
	let shown = 0;
	rows.forEach((row, at) => {
		const fits =
			(statuses.length === 0 || statuses.includes(row.classList[0])) &&
			words.every((word) => texts[at].includes(word));
		if (row.hidden === fits) row.hidden = !fits;
		if (fits) shown += 1;
	});
	const isAll = words.length + statuses.length === 0;
	list.classList.toggle('found', !isAll);
	tools.querySelector('output').textContent = isAll ? '' : shown.toLocaleString('en-US') + ' found';
}

// Row, title and product. Times would be found by every number.
function searchText(row) {
	const named = [...(row.querySelector('summary') ?? row).querySelectorAll('b, bdi')];
	return named.map((part) => part.textContent).join(' ').toLowerCase();
}

function isOn(button) {
	return button.getAttribute('aria-pressed') === 'true';
}

function open() {
	const target = document.getElementById(location.hash.slice(1));
	const row = target && target.closest('article');
	if (!row) return;
	if (row.hidden) {
		box.value = '';
		for (const button of buttons) button.setAttribute('aria-pressed', 'false');
		show();
	}
	row.querySelector('details').open = true;
	row.scrollIntoView();
}

box.addEventListener('input', show);
for (const button of buttons)
	button.addEventListener('click', () => {
		button.setAttribute('aria-pressed', String(!isOn(button)));
		show();
	});
addEventListener('hashchange', open);
tools.hidden = false;
// A browser that goes back to the page keeps what was typed.
if (box.value !== '') show();
open();
`;

/** The buttons that copy a command. What is copied is marked, so that a person can also do it by hand. */
export const COPYING = `
for (const button of document.querySelectorAll('.command button')) {
	button.hidden = false;
	button.addEventListener('click', () => {
		getSelection().selectAllChildren(button.previousElementSibling);
		if (document.execCommand('copy')) button.textContent = 'Copied';
	});
}
`;

/** For the page's policy: these scripts run, and no other, whatever a brief brings into the page. */
export const SCRIPT_SOURCES = [SEARCHING, COPYING]
	.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
	.join(' ');
