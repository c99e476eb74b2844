import { getInput } from './contents';
import type { Action, History } from './history';

/** Returns a line for the service and a line per action. */
export function formatHistory({ service, actions }: History): string {
	return [JSON.stringify(service), ...actions.map(formatAction)].join('\n');
}

function formatAction(action: Action): string {
	const { actor, max, isOnly, hasIds, isAtOnce, faults, passMs } = action;
	return [
		`${actor.padEnd(9)} ${formatKind(action)}`,
		...(max === null ? [] : [`--max ${max}`]),
		...(isOnly ? ['--only this row'] : []),
		...(hasIds ? [] : ['without --id']),
		...faults.map(({ name, skip, times }) => `{${name}, after ${skip}, ${times} times}`),
		isAtOnce ? 'at once with the next' : `then ${passMs / 1000} s`,
	].join('  ');
}

function formatKind(action: Action): string {
	const { actor, kind, row, content, spelling, flow } = action;
	const print = (number: number) => Object.values(getInput(number, spelling)).flat().join(', ');
	if (actor === 'colleague') return `orders ${print(content)}`;
	if (actor === 'n8n') {
		const modes: Partial<Record<string, string>> = { run: 'use', retry: 'useUnlessFailed' };
		const items = Array.from({ length: row + 1 }, (_, index) => print(content + index));
		return `${modes[kind] ?? 'both'}: ${items.join(' and ')}  ${flow}`;
	}
	if (kind === 'add') return `adds ${print(content)}`;
	return kind === 'edit' ? `edits row ${row} to ${print(content)}` : `${kind}, row ${row}`;
}
