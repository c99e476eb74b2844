import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../harness/paths';

/** Returns the anchors of a document as GitHub makes them from headings. */
export function readAnchors(document: string): string[] {
	const text = readFileSync(join(repositoryRoot, document), 'utf8');
	return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replaceAll(' ', '-'),
	);
}
