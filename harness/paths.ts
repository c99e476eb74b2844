import { join, resolve } from 'node:path';

export const repositoryRoot = resolve(__dirname, '..');

/** The folder of the n8n installations. */
export const cacheRoot = join(repositoryRoot, '.cache', 'n8n');

/** The package of the nodes as it is published, written by `npm run build`. */
export const nodesPackage = join(repositoryRoot, '.cache', 'nodes-package');

/** The program of brief-batch, compiled by `npm run build`. */
export const briefBatch = join(repositoryRoot, 'batch', 'dist', 'batch', 'main.js');
