import { testCases } from './test-cases';

testCases(5);
