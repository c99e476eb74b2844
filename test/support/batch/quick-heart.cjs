'use strict';

// Loaded into brief-batch before it begins (node --require): its heart beats every half second, so that a test need not
// watch a dead lock for twenty.
const { resolve } = require('node:path');

require(resolve(__dirname, '../../../batch/dist/batch/folder/lock/lock.js')).PACE.beat = 500;
