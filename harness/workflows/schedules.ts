/**
 * n8n refuses to poll more than once a minute, but checks each poll time alone. So polling every few seconds takes many
 * poll times, each with its own fixed second. The value of a polling trigger's `pollTimes`.
 */
export function pollEverySeconds(seconds: number): {
	item: Array<{ mode: 'custom'; cronExpression: string }>;
} {
	return {
		item: secondsOfAMinute(seconds).map((second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		})),
	};
}

/** The parameters of a Schedule Trigger that fires every few seconds. */
export function scheduleEverySeconds(seconds: number): Record<string, unknown> {
	const expression = `${secondsOfAMinute(seconds).join(',')} * * * * *`;
	return { rule: { interval: [{ field: 'cronExpression', expression }] } };
}

function secondsOfAMinute(step: number): number[] {
	return Array.from({ length: Math.ceil(60 / step) }, (_, turn) => turn * step);
}
