import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

// The three blocks marked n8n are those of `n8n-node lint` (@n8n/node-cli 0.48), rule for rule. That package is not
// a dependency, because it brings a tree of AI libraries that npm cannot resolve in reasonable time.
const n8nRooms = ['credentials/**/*.ts', 'nodes/**/*.ts', 'service/**/*.ts'];

const product = [...n8nRooms, 'batch/**/*.ts'];

// The other rooms that each room may import. bench, scripts and test may import all of them.
const roomsBelow = {
	service: [],
	sandbox: [],
	harness: ['service', 'sandbox'],
	credentials: ['service'],
	nodes: ['service'],
	batch: ['service'],
};
const folders = (rooms) => rooms.map((room) => `./${room}`);
const imports = Object.entries(roomsBelow).map(([room, below]) => ({
	target: `./${room}`,
	from: './',
	except: folders([room, ...below, 'node_modules']),
	message: `${room}/ imports ${below.map((each) => `${each}/`).join(' and ') || 'no other room'}.`,
}));

// The same inside batch/: what each room may import of the others, besides the files that stand beside the rooms.
const partsBelow = {
	'batch/csv': [],
	'batch/folder': [],
	'batch/plan': ['csv', 'folder'],
	'batch/results': ['plan', 'csv', 'folder'],
	'batch/page': ['results', 'plan', 'csv', 'folder'],
	'batch/order': ['plan', 'csv', 'folder'],
	'batch/settings': ['plan', 'csv', 'folder'],
	'batch/run': ['settings', 'order', 'page', 'results', 'plan', 'csv', 'folder'],
	'batch/notify': ['results', 'folder'],
	'batch/screen': ['settings', 'run', 'order', 'results', 'plan', 'csv', 'folder', 'notify'],
};
const besideRooms = [
	'clock.ts',
	'command-text.ts',
	'exit-codes.ts',
	'group-by.ts',
	'http.ts',
	'interruption.ts',
	'sha256.ts',
	'stop-of.ts',
	'stop.ts',
	'text.ts',
	'wait-text.ts',
];
// The machine of an order uses all that service/ has, and only the two shells use the machine.
const machine = {
	target: './service/!(order)/**',
	from: './service/order',
	message: 'The rest of service/ knows nothing of orders.',
};
const importsInside = Object.entries(partsBelow).map(([part, below]) => {
	const [room, folder] = part.split('/');
	return {
		target: `./${part}`,
		from: `./${room}`,
		except: folders([folder, ...below, ...besideRooms, 'node_modules']),
		message: `Of ${room}/, ${part}/ imports ${below.join(', ')} only.`,
	};
});

// A name says of what (CONTRIBUTING.md, “Names”). Fields that other programs read have the names that they have.
const bareWords = `
	accepted answered asked believed broken chosen counted filled finished found fresh given gone held
	joined kept known left listed lost made mapped merged named opened ordered own parsed planned
	ranked removed retried said saved seen sent shown taken told tried unused wanted wrapped written
`
	.trim()
	.split(/\s+/);
const capital = (word) => `${word[0].toUpperCase()}${word.slice(1)}`;
const bareName = `^(${[...bareWords, ...bareWords.map(capital)].join('|')})$`;

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

// A text in which one word follows another is a sentence, or a part of one.
const WORDS = '/[A-Za-z]{2,}( |\\\\s[*+]?)[A-Za-z]{2,}/';
const METHODS =
	'/^(includes|startsWith|endsWith|indexOf|lastIndexOf|match|search|split|replace|replaceAll)$/';
const readsSentence = [
	`Literal[regex.pattern=${WORDS}]`,
	...[
		[`CallExpression[callee.property.name=${METHODS}]`, '.arguments:first-child'],
		['BinaryExpression[operator=/^[!=]==?$/]', ''],
		['SwitchCase', '.test'],
	].flatMap(([reader, place]) => [
		`${reader} > Literal[value=${WORDS}]${place}`,
		`${reader} > TemplateLiteral${place} > TemplateElement[value.cooked=${WORDS}]`,
	]),
].map((selector) => ({
	selector,
	message: 'Code reads no sentence: give what it is to know as a field or a code.',
}));

export default defineConfig(
	globalIgnores(['**/dist', '**/node_modules', '.cache', 'coverage']),
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, tseslint.configs.strictTypeChecked],
		languageOptions: {
			parserOptions: { project: './tsconfig.check.json', tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/no-confusing-void-expression': 'off',
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
			'no-restricted-syntax': ['error', nestedSpread],
		},
	},
	// Sentences are for people, and change. What others say is read where it comes in.
	{
		files: product,
		ignores: [
			// What a sheet holds: the help lines of a template, placeholders.
			'batch/csv/list-lines.ts',
			'service/input/unusable-text.ts',
			// What the service says of an error, of which it lists no codes.
			'service/api/classify.ts',
		],
		rules: { 'no-restricted-syntax': ['error', nestedSpread, ...readsSentence] },
	},
	// A file has one subject, however long it is; a function is read at one look.
	{
		files: product,
		rules: {
			'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
			'max-params': ['error', 4],
			'max-depth': ['error', 3],
		},
	},
	{
		files: [...product, 'sandbox/**/*.ts'],
		rules: {
			'@typescript-eslint/naming-convention': [
				'error',
				{
					selector: [
						...['variable', 'function', 'parameter', 'parameterProperty', 'typeLike'],
						...['classProperty', 'classMethod', 'typeMethod'],
					],
					format: null,
					custom: { regex: bareName, match: false },
				},
				{ selector: ['variable', 'parameter'], modifiers: ['destructured'], format: null },
			],
		},
	},
	// One switch with an entry for each kind of event, error or line of the journal: it is a table, and is read as one.
	{
		files: [
			'service/api/explain.ts',
			'batch/stop-of.ts',
			'batch/screen/event-lines.ts',
			'batch/folder/records.ts',
		],
		rules: { 'max-lines-per-function': 'off' },
	},
	// A renderer of markdown-it has the parameters that markdown-it gives it.
	{ files: ['batch/page/markdown.ts'], rules: { 'max-params': 'off' } },
	// Imports between rooms go down only, and never in a circle.
	{
		files: ['**/*.ts'],
		plugins: { 'import-x': importX },
		settings: importX.configs['flat/typescript'].settings,
		rules: {
			'import-x/no-restricted-paths': [
				'error',
				{ basePath: import.meta.dirname, zones: [...imports, ...importsInside, machine] },
			],
			'import-x/no-cycle': ['error', { ignoreExternal: true }],
		},
	},
	// The package that n8n loads has no dependency; of Node it uses crypto alone.
	{
		files: n8nRooms,
		rules: packagesOtherThan(['n8n-workflow', 'crypto']),
	},
	{
		files: ['service/**/*.ts'],
		rules: packagesOtherThan(['crypto']),
	},
	{
		files: ['batch/**/*.ts'],
		rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: '^@?n8n' }] }] },
	},
	// What meets texts of sheets, webhooks and the service, of any length: none may make a pattern slow.
	{
		files: [...n8nRooms, 'batch/csv/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': 'error',
		},
	},
	// Where something is decided or put on record no command is made: only where it is shown are its row and CSV known.
	{
		files: ['batch/**/*.ts'],
		ignores: ['batch/{screen,results,page}/**'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{ regex: '^@?n8n' },
						{
							regex: '/command-text$',
							importNames: ['commandFor', 'folderCommand'],
							message: 'Commands are made in screen/, results/ and page/ alone.',
						},
					],
				},
			],
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
	},
	// n8n: all sources of the package
	{
		files: n8nRooms,
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
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
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
	prettier,
);
