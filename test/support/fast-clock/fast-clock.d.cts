/** Returns a clock that shows the real time at `start` and runs `factor` times as fast from there. */
export function makeFastTime(factor: number, start: number): () => number;
