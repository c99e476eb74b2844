import { selectForDay, testCases } from './explore';

/** One case with three faults takes about half an hour, and three cases with two faults a few minutes. */
const faults = Number(process.env['EXPLORER_FAULTS'] ?? 2);

testCases(selectForDay(faults > 2 ? 1 : 3), faults);
