const controller = new AbortController();
let signals = 0;

/** Ends the command in order at the first signal, and at once at the second, which is as safe. */
function onSignal(): void {
	signals += 1;
	if (signals > 1) process.exit(130);
	controller.abort();
}

process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
// A terminal that closes may send it twice, by its shell and by the system, so that it never ends the command at once.
process.on('SIGHUP', () => controller.abort());

/** Aborted by the first Ctrl-C or SIGTERM, or when the terminal closes. */
export const interruption = controller.signal;
