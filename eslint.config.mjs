import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

// The three blocks marked n8n are those of `n8n-node lint` (@n8n/node-cli 0.48), rule for rule. That package is not
// a dependency, because it brings a tree of AI libraries that npm cannot resolve in reasonable time.
const n8nRooms = ['credentials/**/*.ts', 'nodes/**/*.ts', 'service/**/*.ts'];

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
