const { src, dest } = require('gulp');

// The files that n8n reads from the folder of a compiled node: icons, codex files (search words and categories), and
// the previews of the output.
const assets = ['nodes/**/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];

// Without `encoding: false`, gulp would decode the files as text.
exports.default = () => src(assets, { base: '.', encoding: false }).pipe(dest('dist'));
