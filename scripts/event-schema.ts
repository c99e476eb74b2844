import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';

const batch = resolve(__dirname, '..', 'batch');

/** Gives the JSON schema of what brief-batch prints with --json, made from the types. */
export function eventSchema(): string {
	const generator = createGenerator({
		path: join(batch, 'screen', 'printed.ts'),
		tsconfig: join(batch, 'tsconfig.json'),
		type: 'PrintedLine',
		additionalProperties: true,
		// `npm run types` does that.
		skipTypeCheck: true,
	});
	return `${JSON.stringify(generator.createSchema('PrintedLine'), null, '\t')}\n`;
}

// `npm run schema`
if (require.main === module) writeFileSync(join(batch, 'events.schema.json'), eventSchema());
