import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

// The three blocks marked n8n are those of `n8n-node lint` (@n8n/node-cli 0.48), rule for rule. That package is not
// a dependency, because it brings a tree of AI libraries that npm cannot resolve in reasonable time.
const n8nSources = ['credentials/**/*.ts', 'nodes/**/*.ts', 'core/**/*.ts'];

const product = [...n8nSources, 'batch/**/*.ts'];

// The folders that each folder can import. bench, scripts and test can import all of them.
const importsBelow = {
	core: [],
	sandbox: [],
	harness: ['sandbox'],
	credentials: ['core', 'nodes'],
	nodes: ['core'],
	batch: ['core'],
};
const toPaths = (folders) => folders.map((folder) => `./${folder}`);
const importZones = Object.entries(importsBelow).map(([folder, below]) => ({
	target: `./${folder}`,
	from: './',
	except: toPaths([folder, ...below, 'node_modules']),
	message: `${folder}/ imports ${below.map((each) => `${each}/`).join(' and ') || 'no other folder'}.`,
}));

// The layers of a folder, files and folders. Each can import those before it.
const layersOf = {
	batch: [
		['cli-error.ts', 'collections.ts', 'exit-codes.ts', 'text.ts'],
		...['csv', 'orders', 'folder', 'plan', 'run', 'report', 'terminal', 'cli', 'commands'],
		'main.ts',
	],
	sandbox: [
		['clock.ts', 'contract.ts', 'keys.ts', 'random.ts', 'refusals.ts'],
		['faults.ts', 'options.ts', 'request-rate.ts'],
		...['writing', 'briefs', 'hooks', 'state.ts', 'operations', 'service.ts', 'http', 'sandbox.ts'],
		['command-line.ts', 'main.ts'],
	],
};
const layerZones = Object.entries(layersOf).flatMap(([folder, layers]) => {
	const toFolderPaths = (names) => names.flat().map((name) => `./${folder}/${name}`);
	return layers.slice(0, -1).map((layer, index) => ({
		target: toFolderPaths([layer]),
		from: toFolderPaths(layers.slice(index + 1)),
		message: `This layer of ${folder}/ imports ${layers.slice(0, index).flat().join(', ') || 'no other layer'}.`,
	}));
});

/** Forbids the import of every package and Node module but these. */
function packagesOtherThan(allowed) {
	const regex = `^(?!\\.{1,2}/|(${allowed.join('|')})$)`;
	const message = `Here only ${allowed.join(' and ')} may be imported.`;
	return { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] };
}

const nestedSpread = {
	selector: 'ObjectExpression > SpreadElement > ObjectExpression',
	message: 'Write its properties into the object around it.',
};

export default defineConfig(
	globalIgnores(['**/dist', '**/node_modules', '.cache']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.strictTypeChecked],
		languageOptions: {
			parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/no-confusing-void-expression': 'off',
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			'no-restricted-syntax': ['error', nestedSpread],
		},
	},
	// A function fits on a screen.
	{
		files: product,
		rules: {
			'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
			'max-params': ['error', 4],
			'max-depth': ['error', 3],
		},
	},
	// Imports between folders go down only, and never in a circle.
	{
		files: ['**/*.ts'],
		plugins: { 'import-x': importX },
		settings: importX.configs['flat/typescript'].settings,
		rules: {
			'import-x/no-restricted-paths': [
				'error',
				{
					basePath: import.meta.dirname,
					zones: [...importZones, ...layerZones],
				},
			],
			'import-x/no-cycle': ['error', { ignoreExternal: true }],
		},
	},
	// The package that n8n loads has no dependency; of Node it uses crypto alone.
	{
		files: n8nSources,
		rules: packagesOtherThan(['n8n-workflow', 'node:crypto']),
	},
	{
		files: ['core/**/*.ts'],
		rules: packagesOtherThan(['node:crypto']),
	},
	{
		files: ['batch/**/*.ts'],
		rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: '^@?n8n' }] }] },
	},
	// These files match text from sheets, webhooks and the service. Such text can be long, so no pattern can backtrack.
	{
		files: [...n8nSources, 'batch/csv/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': 'error',
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			'@typescript-eslint/no-non-null-assertion': 'off',
			// A fake of an asynchronous port often has nothing to wait for.
			'@typescript-eslint/require-await': 'off',
		},
	},
	// n8n: all sources of the package
	{
		files: n8nSources,
		extends: [
			js.configs.recommended,
			tseslint.configs.recommended,
			n8nCommunityNodesPlugin.configs.recommended,
			importX.configs['flat/recommended'],
		],
		rules: { 'prefer-spread': 'off', 'no-console': 'error' },
	},
	{
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		settings: {
			'import-x/resolver-next': [
				createNodeResolver({
					extensions: ['.ts', '.js'],
					extensionAlias: { '.js': ['.ts', '.js'] },
				}),
			],
		},
	},
	// n8n: the manifest
	{
		files: ['package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		rules: { ...n8nNodesBase.configs.community.rules },
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
	// n8n: credentials and nodes
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
