'use strict';

// Loaded into brief-batch before it begins (node --require): its heart beats every half second, so that a test need not
// watch a dead lock for twenty.
const { resolve } = require('node:path');

const lock = require(resolve(__dirname, '../../../batch/dist/batch/folder/lock/lock.js'));
const { lockFolder } = lock;
lock.lockFolder = (disk, folder, clock, options) =>
	lockFolder(disk, folder, clock, { ...options, beat: 500 });
