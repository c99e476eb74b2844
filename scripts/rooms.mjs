// Holds each room to its number of lines (rooms.json), so that what a new fact needs is taken from what is said twice.
// A number goes down with the room; it goes up only with a line in docs/decisions.md. `--set` writes today's numbers.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'rooms.json';
const REPORTED = ['test', 'bench', 'harness'];
const LEFT_OUT = new Set(['node_modules', 'dist', '.cache']);

/** Counts the lines of the TypeScript files of a folder. A room whose folders are rooms has only its own files. */
function linesIn(folder, isDeep) {
	return readdirSync(folder, { withFileTypes: true }).reduce((lines, entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory())
			return isDeep && !LEFT_OUT.has(entry.name) ? lines + linesIn(path, true) : lines;
		return entry.name.endsWith('.ts')
			? lines + readFileSync(path, 'utf8').split('\n').length - 1
			: lines;
	}, 0);
}

const limits = JSON.parse(readFileSync(FILE, 'utf8'));
const rooms = Object.keys(limits);
const hasRooms = (room) => rooms.some((other) => other.startsWith(`${room}/`));
const counts = Object.fromEntries(rooms.map((room) => [room, linesIn(room, !hasRooms(room))]));

if (process.argv.includes('--set')) {
	writeFileSync(FILE, `${JSON.stringify(counts, null, '\t')}\n`);
} else {
	for (const room of rooms.filter((room) => counts[room] > limits[room])) {
		process.exitCode = 1;
		console.error(
			`${room} has ${counts[room]} lines, and ${limits[room]} at most (${FILE}). Find what is said twice, or raise the number with a line in docs/decisions.md.`,
		);
	}
}
console.log(REPORTED.map((room) => `${room} ${linesIn(room, true)} lines`).join(', '));
