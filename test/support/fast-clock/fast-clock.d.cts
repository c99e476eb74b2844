/** Gives a time of day that is right at `start`, and runs so many times as fast from there. */
export function fastTime(factor: number, start: number): () => number;

/** Gives what takes the place of the globals of the same names. */
export function fastGlobals(factor: number, now: () => number): Partial<typeof globalThis>;
