const { cpSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { src, dest } = require('gulp');
const manifest = require('./package.json');

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

const NODES_PACKAGE = '.cache/nodes-package';
const FOR_THIS_REPOSITORY = ['engines', 'workspaces', 'scripts', 'devDependencies', 'allowScripts'];

/** The folder of the nodes as it is packed and published: with a README for n8n, and a package.json for users alone. */
function nodesPackage() {
	const published = Object.entries(manifest).filter(
		([name]) => !FOR_THIS_REPOSITORY.includes(name),
	);
	rmSync(NODES_PACKAGE, { recursive: true, force: true });
	mkdirSync(NODES_PACKAGE, { recursive: true });
	cpSync('dist', `${NODES_PACKAGE}/dist`, { recursive: true });
	cpSync('LICENSE', `${NODES_PACKAGE}/LICENSE`);
	cpSync('nodes/README.md', `${NODES_PACKAGE}/README.md`);
	writeFileSync(
		`${NODES_PACKAGE}/package.json`,
		`${JSON.stringify(Object.fromEntries(published), null, '\t')}\n`,
	);
}

exports.default = async () => {
	for (const task of [besideNodes, besideCredentials]) {
		await new Promise((done, fail) => task().on('finish', done).on('error', fail));
	}
	nodesPackage();
};
