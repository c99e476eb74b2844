'use strict';

/*
 * Loaded into a process before its program (`node --import`), it makes its time run fast: dates, `performance` and timers.
 * Processes with the same two variables show one time.
 */
const { performance } = require('node:perf_hooks');
const promises = require('node:timers/promises');

const RealDate = Date;
const sinceOrigin = performance.now.bind(performance);

/** Gives a time of day that is right at `start`, and runs so many times as fast from there. */
function fastTime(factor, start) {
	// Finer than Date.now, of which a millisecond may be a second here.
	const now = () => performance.timeOrigin + sinceOrigin();
	return () => Math.floor(start + (now() - start) * factor);
}

/** Gives what takes the place of the globals of the same names. */
function fastGlobals(factor, now) {
	const began = now();
	const { setTimeout, setInterval } = globalThis;
	return {
		Date: new Proxy(RealDate, {
			apply: () => new RealDate(now()).toString(),
			construct: (target, values, self) =>
				Reflect.construct(target, values.length === 0 ? [now()] : values, self),
			get: (target, name) => (name === 'now' ? now : target[name]),
		}),
		performance: { now: () => now() - began },
		setTimeout: (work, ms, ...values) => setTimeout(work, ms / factor, ...values),
		setInterval: (work, ms, ...values) => setInterval(work, ms / factor, ...values),
	};
}

const { FAST_CLOCK_FACTOR, FAST_CLOCK_START } = process.env;
if (FAST_CLOCK_FACTOR !== undefined) {
	const factor = Number(FAST_CLOCK_FACTOR);
	const { setTimeout } = promises;
	const globals = fastGlobals(factor, fastTime(factor, Number(FAST_CLOCK_START)));
	promises.setTimeout = (ms, ...values) => setTimeout(ms / factor, ...values);
	performance.now = globals.performance.now;
	Object.assign(globalThis, globals, { performance });
}

module.exports = { fastGlobals, fastTime };
