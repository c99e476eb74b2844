import { canonical } from '../../service/key';
import type { BriefInput } from '../../service/resources';
import { sha256 } from '../sha256';

/** Identifies a row in the journal by its content alone: not by its place, nor by how the CSV is written (P7). */
export function rowId(input: BriefInput): string {
	return sha256(canonical(input)).slice(0, 32);
}
