import type { Brief } from '../../core/api/types';
import { isLink } from '../../core/input/links';
import { toSlug } from '../../core/slug';
import type { Disk } from './disk';

/**
 * The files of briefs. Each file is whole or absent, and can be fetched again from the service.
 *
 *     briefs/results/mug-d031a274.md      the brief, to read
 *     briefs/results/mug-d031a274.json    the brief as the service returned it
 */
export class BriefFiles {
	private readonly directory: string;

	constructor(
		private readonly disk: Disk,
		folder: string,
		/** Returns the ID of a brief as file names and messages show it. */
		private readonly shortenId: (briefId: string) => string,
	) {
		this.directory = `${folder}/results`;
	}

	/** Writes the files of a brief and returns their base name. */
	async save(brief: Brief): Promise<string> {
		await this.disk.makeFolder(this.directory);
		const name = await this.chooseName(brief);
		await this.disk.replace(
			this.jsonPath(name),
			Buffer.from(`${JSON.stringify(brief, null, 2)}\n`),
		);
		const markdown = (brief.markdown ?? '').trimEnd();
		await this.disk.replace(`${this.directory}/${name}.md`, Buffer.from(`${markdown}\n`));
		return name;
	}

	/** Returns a function that is true for a base name if one of its files is missing. */
	async findMissing(): Promise<(name: string) => boolean> {
		const names = new Set(await this.disk.list(this.directory));
		return (name) => !names.has(`${name}.md`) || !names.has(`${name}.json`);
	}

	private async chooseName({ id, product_name, title }: Brief): Promise<string> {
		const product = isLink(product_name) ? '' : product_name;
		const base = toSlug(product) || toSlug(title ?? '') || 'brief';
		const name = `${base}-${this.shortenId(id)}`;
		// After the journal was lost, the folder has files of briefs that the journal does not know.
		const bytes = await this.disk.read(this.jsonPath(name));
		const isOwn = bytes === null || parseBrief(bytes)?.id === id;
		return isOwn ? name : `${base}-${id}`;
	}

	private jsonPath(name: string): string {
		return `${this.directory}/${name}.json`;
	}
}

function parseBrief(bytes: Buffer): Brief | null {
	try {
		return JSON.parse(bytes.toString('utf8')) as Brief;
	} catch {
		return null;
	}
}
