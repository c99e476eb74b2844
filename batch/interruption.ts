const controller = new AbortController();
let signals = 0;

/** Ends the command in order at the first Ctrl-C, and at once at the second, which is as safe. */
function onSignal(): void {
	signals += 1;
	if (signals > 1) process.exit(130);
	controller.abort();
}

process.on('SIGINT', onSignal);
// A terminal that closes sends SIGHUP twice, `timeout` SIGTERM: the second one is the same wish, and ends nothing at once.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());

/** Aborted by the first Ctrl-C or SIGTERM, or when the terminal closes. */
export const interruption = controller.signal;
