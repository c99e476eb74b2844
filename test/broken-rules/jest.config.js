const base = require('../../jest.config');

const [[files, [, options]]] = Object.entries(base.transform);

/** The usual tests with one broken rule: BROKEN_RULE is a `BrokenRule` as JSON. */
module.exports = {
	...base,
	rootDir: '../..',
	maxWorkers: 1,
	transform: { [files]: [require.resolve('./transform'), options] },
};
