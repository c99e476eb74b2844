const { src, dest } = require('gulp');

// n8n reads a node's icons, its codex file (the search words and categories) and the previews of its outputs
// (`__schema__`) from beside its compiled file.
// Icons are bytes: gulp would otherwise read them as text.
function besideNodes() {
	return src('nodes/**/*.{svg,png,json}', { base: '.', encoding: false }).pipe(dest('dist'));
}

function besideCredentials() {
	return src('credentials/**/*.{svg,png}', { base: '.', encoding: false, allowEmpty: true }).pipe(
		dest('dist'),
	);
}

exports.default = async () => {
	for (const task of [besideNodes, besideCredentials]) {
		await new Promise((done, fail) => task().on('finish', done).on('error', fail));
	}
};
