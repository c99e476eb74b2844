type ErrorClass<E> = abstract new (...args: never[]) => E;

/** What some work fails with; if a class is given, an error of that class. */
export async function failureOf<E = Error & { kind?: string }>(
	work: Promise<unknown>,
	type?: ErrorClass<E>,
): Promise<E> {
	const outcome = await work.then(
		(value) => ({ value }),
		(error: unknown) => ({ error }),
	);
	return failureIn(() => {
		if ('error' in outcome) throw outcome.error;
		return outcome.value;
	}, type);
}

/** The same of work that is done at once. */
export function failureIn<E>(work: () => unknown, type?: ErrorClass<E>): E {
	let value: unknown;
	try {
		value = work();
	} catch (error) {
		if (type === undefined || error instanceof type) return error as E;
		throw error;
	}
	throw new Error(`It did not fail but gave ${JSON.stringify(value)}`);
}
