import { createRequire } from 'node:module';

type Axios = typeof import('axios');

/** An import would come before all else in this file. */
const requireHere = createRequire(__filename);

/** What belongs to Node's own fetch. Node loads all of it when the first of these names is read. */
const FETCH = ['fetch', 'FormData', 'Headers', 'Request', 'Response'] as const;

/**
 * axios, without its adapter for fetch: requests go through node:http. That adapter is tried out as soon as axios is
 * loaded, for which Node loads its own fetch: a seventh of the time that `plan` takes over ten rows (docs/decisions.md).
 */
export const axios = withoutFetch(() => requireHere('axios') as Axios);

/** Nobody else sees that they are gone, because nothing here is waited for. */
function withoutFetch<T>(load: () => T): T {
	const kept = FETCH.map(
		(name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
	);
	for (const name of FETCH)
		Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
	try {
		return load();
	} finally {
		for (const [name, property] of kept)
			if (property === undefined) Reflect.deleteProperty(globalThis, name);
			else Object.defineProperty(globalThis, name, property);
	}
}
