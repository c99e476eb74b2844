/** The exit codes. What ended a run counts before its rows. */
export const EXIT = {
	interrupted: 130,
	refused: 4,
	stoppedEarly: 5,
	leftForLater: 3,
	someFailed: 1,
	ok: 0,
	/** The command, the CSV, the folder or the key could not be used, and running again does not help. */
	unusable: 2,
	/** Another run holds the folder. */
	inUse: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
