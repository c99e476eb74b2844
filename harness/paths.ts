import { join, resolve } from 'node:path';

export const repositoryRoot = resolve(__dirname, '..');

/** Everything a real n8n leaves behind is under this folder, which git ignores. */
export const cacheRoot = join(repositoryRoot, '.cache', 'n8n');

/** The package of the nodes as it is published, which `npm run build` makes. */
export const nodesPackage = join(repositoryRoot, '.cache', 'nodes-package');

/** The package of brief-batch, and its program as `npm run build` compiles it. */
export const batchPackage = join(repositoryRoot, 'batch');
export const briefBatch = join(batchPackage, 'dist', 'batch', 'main.js');
