type ErrorClass<E> = abstract new (...args: never[]) => E;

/** Returns the error that a promise rejects with; if a class is given, only an error of that class. */
export async function failureOf<E = Error & { kind?: string }>(
	promise: Promise<unknown>,
	type?: ErrorClass<E>,
): Promise<E> {
	const failure = await promise.then(
		() => null,
		(error: unknown) => ({ error }),
	);
	if (failure === null) throw new Error('It did not fail');
	if (type !== undefined && !(failure.error instanceof type)) throw failure.error;
	return failure.error as E;
}
