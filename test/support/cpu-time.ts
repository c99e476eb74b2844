/** Milliseconds of processor time that this process has used: a bound that holds on a busy machine too. */
export function cpuTime(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}
