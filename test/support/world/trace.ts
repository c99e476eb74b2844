import { play, type Case } from './actions';
import type { World } from './world';

/** What happened in a world, a line each, for a person who looks into a failing sequence. */
export function story(world: World): string {
	const { requests, briefs } = world.service;
	const lines = requests.map(({ at, operation, path, body, status }) => {
		const product = /"product_name":"(.*?)"/.exec(body ?? '')?.[1] ?? '';
		return { at, text: `${operation} ${path} ${product} → ${status ?? 'no answer'}` };
	});
	for (const { created, ended, input, key } of briefs) {
		lines.push({ at: created, text: `    created ${input.product_name} ${key}` });
		if (ended < Infinity) lines.push({ at: ended, text: `    ended ${input.product_name}` });
	}
	for (const { began, start, ending } of world.past) {
		const end =
			'report' in ending ? ending.report : 'failure' in ending ? ending.failure.what : ending;
		lines.push({
			at: began - 1,
			text: `=== run ${JSON.stringify(start)} → ${JSON.stringify(end)}`,
		});
	}
	return lines
		.sort((a, b) => a.at - b.at)
		.map(({ at, text }) => `${new Date(at).toISOString().slice(5, 23)} ${text}`)
		.join('\n');
}

/** Plays a sequence; if a promise breaks, the story is part of the error. */
export async function replay(sequence: Case): Promise<World> {
	let world: World | undefined;
	try {
		return await play(sequence, (newWorld) => (world = newWorld));
	} catch (error) {
		if (world !== undefined) (error as Error).message += `\n${story(world)}`;
		throw error;
	}
}
