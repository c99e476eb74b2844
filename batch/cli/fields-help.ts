import { HEADER_ALIASES } from '../../core/input/header-aliases';
import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';

const MAX_WIDTH = 80;
const INDENT = ' '.repeat(22);

/** Returns the fields of --map and --set, each with the other headers that its column can have. */
export function formatFieldsHelp(): string {
	return [
		'Fields of --map and --set, and the headers that are read as them, apart from',
		'their own names:',
		...INPUT_FIELDS.flatMap(formatField),
	].join('\n');
}

function formatField(field: InputField): string[] {
	const { names, links = [] } = HEADER_ALIASES[field];
	const lines: string[] = [];
	let line = `  ${field}`.padEnd(INDENT.length);
	for (const [index, header] of [...names, ...links].entries()) {
		const text = index === 0 ? header : `, ${header}`;
		if (line.length + text.length < MAX_WIDTH) line += text;
		else {
			lines.push(`${line},`);
			line = `${INDENT}${header}`;
		}
	}
	return [...lines, line];
}
