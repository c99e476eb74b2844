const { src, dest } = require('gulp');

/**
 * n8n reads a node's icons, its codex file (the search words and categories) and the previews of its outputs
 * (`__schema__`) from beside its compiled file. Icons are bytes: gulp would otherwise read them as text.
 *
 * The build runs `gulp -L`, which prints errors alone.
 */
exports.default = () =>
	src('nodes/**/*.{svg,json}', { base: '.', encoding: false }).pipe(dest('dist'));
