import { hash } from 'node:crypto';

/** In hex. Half the time of `createHash`. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'hex');
