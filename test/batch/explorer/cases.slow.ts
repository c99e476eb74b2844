import { selectForDay, testCases } from './explore';

/** One case with three faults takes about half an hour, and six cases with two faults about five minutes. */
const faults = Number(process.env['EXPLORER_FAULTS'] ?? 2);

testCases(selectForDay(faults > 2 ? 1 : 6), faults);
