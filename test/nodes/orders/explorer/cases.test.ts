import { testCases } from './test-cases';

testCases(7);
