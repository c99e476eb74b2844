import { selectShard, testCases } from './explore';

testCases(selectShard(1, 4), 1);
