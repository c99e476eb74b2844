const { createTransformer } = require('@swc/jest');

const { file, from, to } = JSON.parse(process.env.BROKEN_RULE);

/** Replaces the text in one file, then compiles each file as usual. The file on the disk stays as it is. */
exports.createTransformer = (options) => {
	const { process, getCacheKey } = createTransformer(options);
	const breakRule = (source, path) =>
		path.endsWith(`/${file}`) ? source.replace(from, () => to) : source;
	return {
		process: (source, path, ...rest) => process(breakRule(source, path), path, ...rest),
		getCacheKey: (source, path, ...rest) => getCacheKey(breakRule(source, path), path, ...rest),
	};
};
