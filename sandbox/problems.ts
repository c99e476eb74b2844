import type { ErrorObject } from 'ajv';

/** One thing that is wrong with a request (docs/api.md section 4.3 rule 4: details lists each problem). */
export interface Problem {
	in: 'body' | 'query' | 'path' | 'header';
	/** Name of the field, '' for the whole body. */
	field: string;
	code: string;
	message: string;
}

const places: Readonly<Record<string, Problem['in']>> = {
	requestBody: 'body',
	query: 'query',
	path: 'path',
	header: 'header',
};

export function problemOf(error: ErrorObject): Problem {
	const params = error.params as Record<string, unknown>;
	const extra = params['missingProperty'] ?? params['additionalProperty'];
	const steps = error.instancePath.split('/').slice(1);
	if (typeof extra === 'string') steps.push(extra);
	const [place = '', ...names] = steps;
	const field = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
	const { code, text } = describe(error.keyword, params);
	return { in: places[place] ?? 'body', field, code, message: `${field || 'The body'} ${text}` };
}

function describe(
	keyword: string,
	params: Record<string, unknown>,
): { code: string; text: string } {
	const limit = String(params['limit']);
	switch (keyword) {
		case 'required':
			return { code: 'required', text: 'is required' };
		case 'additionalProperties':
			return { code: 'unknown', text: 'is not known' };
		case 'type':
			return { code: 'wrong_type', text: `must be ${String(params['type'])}` };
		case 'enum':
			return {
				code: 'not_allowed',
				text: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`,
			};
		case 'minLength':
			return { code: 'too_short', text: `must have at least ${limit} characters` };
		case 'maxLength':
			return { code: 'too_long', text: `must have at most ${limit} characters` };
		case 'maxItems':
			return { code: 'too_many', text: `must have at most ${limit} items` };
		case 'minimum':
			return { code: 'too_small', text: `must be at least ${limit}` };
		case 'maximum':
			return { code: 'too_large', text: `must be at most ${limit}` };
		case 'format':
			return { code: 'wrong_format', text: `must be a ${String(params['format']).toUpperCase()}` };
		case 'pattern':
			return { code: 'wrong_format', text: `must match ${String(params['pattern'])}` };
		default:
			return { code: 'invalid', text: 'is not valid' };
	}
}
