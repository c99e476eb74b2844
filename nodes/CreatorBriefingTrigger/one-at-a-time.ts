const atWork = new Set<string>();

/**
 * Does the work, unless work of the same name still goes on in this process: then gives null at once. n8n's schedule
 * starts a poll each minute although the last may not have ended. Two would start from the same state, and fire twice.
 */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T | null> {
	if (atWork.has(name)) return null;
	atWork.add(name);
	try {
		return await work();
	} finally {
		atWork.delete(name);
	}
}
