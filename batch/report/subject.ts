/** The CSV and its folder, as every screen and message names them. */
export interface Subject {
	/** The client: --name, or the name of the folder. */
	readonly name: string;
	/** Null if every run of the folder was refused. */
	readonly csv: string | null;
	readonly folder: string;
}
