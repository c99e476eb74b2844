/**
 * n8n refuses to poll more than once a minute, but checks each poll time alone. So polling every few seconds takes many
 * poll times, each with its own fixed second. The value of a polling trigger's `pollTimes`.
 */
export function pollEverySeconds(seconds: number): {
	item: Array<{ mode: 'custom'; cronExpression: string }>;
} {
	const polls = Math.ceil(60 / seconds);
	const item = Array.from({ length: polls }, (_, turn) => ({
		mode: 'custom' as const,
		cronExpression: `${turn * seconds} * * * * *`,
	}));
	return { item };
}
