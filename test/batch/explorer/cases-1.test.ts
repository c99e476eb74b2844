import { selectShard, testCases } from './explore';

testCases(selectShard(0, 4), 1);
