type ErrorClass<E> = abstract new (...args: never[]) => E;

/** Returns the error that a promise rejects with. Throws an error of another class than `type`. */
export async function catchError<E = Error & { kind?: string }>(
	promise: Promise<unknown>,
	type?: ErrorClass<E>,
): Promise<E> {
	const failure = await promise.then(
		() => null,
		(error: unknown) => ({ error }),
	);
	if (failure === null) throw new Error('The promise did not reject');
	if (type !== undefined && !(failure.error instanceof type)) throw failure.error;
	return failure.error as E;
}
