import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface LockedPackage {
	version?: string;
	resolved?: string;
	link?: boolean;
	optionalDependencies?: Record<string, string>;
}

const lockfile = resolve(__dirname, '../../package-lock.json');
const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as {
	packages: Record<string, LockedPackage>;
};

/** Returns the folders in which Node.js searches for the dependencies of a package, from the nearest to the root. */
function listSearchFolders(folder: string): string[] {
	const above = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
	return folder === '' ? [''] : [folder, ...listSearchFolders(above)];
}

function isLocked(name: string, from: string): boolean {
	const places = listSearchFolders(from).map((folder) => `${folder}/node_modules/${name}`);
	return places.some((place) => place.replace(/^\//, '') in packages);
}

// npm writes down only what its registry had on that day, and then installs no native part on the other platforms.
// `npm install --package-lock-only` adds what is missing.
test('the lockfile has every optional package of every platform', () => {
	const missing = Object.entries(packages).flatMap(([folder, locked]) =>
		Object.entries(locked.optionalDependencies ?? {})
			.filter(([name]) => !isLocked(name, folder))
			.map(([name, version]) => `${folder} lacks ${name} ${version}`),
	);
	expect(missing).toEqual([]);
});

test('the lockfile names no address, only packages', () => {
	const addressed = Object.entries(packages).filter(
		([, { resolved, link }]) => resolved !== undefined && !link,
	);
	expect(addressed).toEqual([]);
});
