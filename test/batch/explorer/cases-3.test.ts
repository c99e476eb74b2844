import { selectShard, testCases } from './explore';

testCases(selectShard(2, 4), 1);
