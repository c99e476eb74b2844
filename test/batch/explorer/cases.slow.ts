import { selectForDay, testCases } from './explore';

/**
 * A case with two faults has 2,000 to 50,000 executions, about 200 per second on an idle core: four cases take two to ten
 * minutes. A case with three faults takes half an hour or longer.
 */
const faults = Number(process.env['EXPLORER_FAULTS'] ?? 2);

testCases(selectForDay(faults > 2 ? 1 : 4), faults);
