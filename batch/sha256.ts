import * as crypto from 'node:crypto';

/** In hex. `crypto.hash` takes half the time of `createHash`, but needs Node 20.12. */
export const sha256: (text: string) => string =
	typeof (crypto as Partial<typeof crypto>).hash === 'function'
		? (text) => crypto.hash('sha256', text, 'hex')
		: (text) => crypto.createHash('sha256').update(text).digest('hex');
