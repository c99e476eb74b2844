import { Failure } from '../../failure';

/** A number above 0, such as 0.5. */
export function positiveNumber(option: string, text: string, unit: string): number {
	const value = Number(text);
	if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
	throw new Failure(
		`${option} takes a number of ${unit} above 0, not “${text}”.`,
		`Write it in digits, as in ${option} 30 or ${option} 1.5.`,
	);
}

/** A whole number from `min` to `max`. */
export function wholeNumber(option: string, text: string, min: number, max = Infinity): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= min && value <= max) return value;
	const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
	throw new Failure(
		`${option} takes a whole number ${range}, not “${text}”.`,
		`Write it in digits, as in ${option} ${Math.max(min, 1)}.`,
	);
}
