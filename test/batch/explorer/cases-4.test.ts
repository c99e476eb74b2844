import { selectShard, testCases } from './explore';

testCases(selectShard(3, 4), 1);
