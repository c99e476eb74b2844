import { hash } from 'node:crypto';

/** In hex. It takes half the time of `createHash`. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'hex');
