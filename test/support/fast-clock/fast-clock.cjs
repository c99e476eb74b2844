'use strict';

/*
 * Speeds up the time of a process: dates, `performance` and timers. It is loaded before the program:
 *
 *     FAST_CLOCK_FACTOR=60 FAST_CLOCK_START=1700000000000 node --import ./fast-clock.cjs program.js
 *
 * Processes with the same two variables share one time. Timeouts of requests (AbortSignal.timeout) stay as long as they are,
 * because a busy machine answers no sooner; FAST_CLOCK_TIMEOUTS=1 speeds them up, too.
 */
const { performance } = require('node:perf_hooks');
const promises = require('node:timers/promises');

const RealDate = Date;
const getTimeSinceOrigin = performance.now.bind(performance);

function makeFastTime(factor, start) {
	// More precise than Date.now(): with a factor of 1000, its millisecond would be a second.
	const getRealTime = () => performance.timeOrigin + getTimeSinceOrigin();
	return () => Math.floor(start + (getRealTime() - start) * factor);
}

function makeFastGlobals(factor, now) {
	const startedAt = now();
	const { setTimeout, setInterval } = globalThis;
	return {
		Date: new Proxy(RealDate, {
			apply: () => new RealDate(now()).toString(),
			construct: (target, values, self) =>
				Reflect.construct(target, values.length === 0 ? [now()] : values, self),
			get: (target, name) => (name === 'now' ? now : target[name]),
		}),
		performance: { now: () => now() - startedAt },
		setTimeout: (work, ms, ...values) => setTimeout(work, ms / factor, ...values),
		setInterval: (work, ms, ...values) => setInterval(work, ms / factor, ...values),
	};
}

const { FAST_CLOCK_FACTOR, FAST_CLOCK_START } = process.env;
if (FAST_CLOCK_FACTOR !== undefined) {
	const factor = Number(FAST_CLOCK_FACTOR);
	const { setTimeout } = promises;
	const globals = makeFastGlobals(factor, makeFastTime(factor, Number(FAST_CLOCK_START)));
	promises.setTimeout = (ms, ...values) => setTimeout(ms / factor, ...values);
	performance.now = globals.performance.now;
	Object.assign(globalThis, globals, { performance });
	if (process.env.FAST_CLOCK_TIMEOUTS !== undefined) {
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		AbortSignal.timeout = (ms) => timeout(Math.ceil(ms / factor));
	}
}

module.exports = { makeFastTime };
