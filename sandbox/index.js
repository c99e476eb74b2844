// `node sandbox` from a fresh clone, with no build step: tsx reads the TypeScript as it is.
require('tsx/cjs');
require('./main.ts');
