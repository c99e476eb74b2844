import { Terminal, type IBufferCell } from '@xterm/headless';

/** The sixteen colours of a dark terminal, by their ANSI number. */
const COLOURS = [
	...['#3b4252', '#f07178', '#a3d977', '#e6c06c', '#82aaff', '#c792ea', '#7fdbca', '#d5d9e0'],
	...['#77818f', '#ff8b92', '#b9ea91', '#ffd98a', '#9fbfff', '#ddb3ff', '#9ff0e2', '#ffffff'],
];
const STYLE =
	'margin: 0; padding: 18px 22px; width: fit-content; background: #1d2330; color: #d5d9e0; font: 14px/1.45 "DejaVu Sans Mono", monospace;';

/** A page that shows all that a program has written to a terminal, as somebody reads it by scrolling back. */
export async function pageOfTerminal(output: string, columns: number): Promise<string> {
	const terminal = new Terminal({
		cols: columns,
		rows: 24,
		scrollback: 1000,
		allowProposedApi: true,
	});
	await new Promise<void>((done) => terminal.write(output, done));
	const { active } = terminal.buffer;
	const lines = Array.from({ length: active.length }, (_, at) => {
		const line = active.getLine(at);
		const cells = Array.from({ length: columns }, (__, column) => line?.getCell(column));
		return cells.map((cell) => (cell === undefined ? '' : htmlOf(cell))).join('');
	});
	return `<pre style='${STYLE}'>${lines.join('\n').trimEnd()}</pre>`;
}

function htmlOf(cell: IBufferCell): string {
	// The second half of a wide character has a width of 0 and no text.
	const text = cell.getWidth() === 0 ? '' : escapeHtml(cell.getChars() || ' ');
	const styles = [
		cell.isFgPalette() ? `color: ${COLOURS[cell.getFgColor()] ?? 'inherit'}` : '',
		cell.isBold() !== 0 ? 'font-weight: bold' : '',
		cell.isDim() !== 0 ? 'opacity: 0.65' : '',
	].filter((style) => style !== '');
	return styles.length === 0 ? text : `<span style="${styles.join('; ')}">${text}</span>`;
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
