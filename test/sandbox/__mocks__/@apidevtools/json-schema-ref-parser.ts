import { readFileSync } from 'node:fs';
import { dereferenceSync } from 'dereference-json-schema';

const { load } = jest.requireActual<{ load: (text: string) => unknown }>('js-yaml');

/**
 * Stands in for the library that openapi-backend reads documents with, in every test: it comes as an ES module only,
 * which jest's CommonJS loader cannot read. Not needed once `@apidevtools` is among the exceptions of
 * transformIgnorePatterns in jest.config.js. `node sandbox` uses the library itself, see command.test.ts.
 */
function parse(path: string): Promise<object> {
	return Promise.resolve(load(readFileSync(path, 'utf8')) as object);
}

async function dereference(path: string): Promise<object> {
	return dereferenceSync(await parse(path));
}

export default { parse, dereference, resolve: parse };
