import { join, resolve } from 'node:path';

export const repositoryRoot = resolve(__dirname, '..');

/** The folder of the n8n installations. */
export const cacheRoot = join(repositoryRoot, '.cache', 'n8n');

/** The package of the nodes as it is published, written by `npm run build`. */
export const nodesPackage = join(repositoryRoot, '.cache', 'nodes-package');

/** The package of brief-batch, and its compiled program. */
export const batchPackage = join(repositoryRoot, 'batch');
export const briefBatch = join(batchPackage, 'dist', 'batch', 'main.js');
