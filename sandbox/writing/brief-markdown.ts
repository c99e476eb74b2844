import type { BriefDocument, Source } from './types';

interface BriefParts {
	title: string;
	category: string;
	document: BriefDocument;
	facts: string[];
	sources: Source[];
	campaignTerms: string | undefined;
}

/** Returns the finished brief, ready to share (docs/api.md section 2.2, `markdown`). */
export function formatBrief({
	title,
	category,
	document,
	facts,
	sources,
	campaignTerms,
}: BriefParts): string {
	const seconds = document.shots.reduce((sum, shot) => sum + shot.seconds, 0);
	const sections = [
		`# ${title}`,
		`*Category: ${category}. Length: about ${seconds} seconds, vertical, one creator.*`,
		`## Mission\n\n${document.mission}`,
		`## Audience\n\n${document.audience}`,
		`## Talking points\n\n${formatBullets(document.talking_points)}`,
		facts.length > 0
			? `## Approved facts\n\nOnly these may be stated as fact:\n\n${formatBullets(facts)}`
			: '## Approved facts\n\nNone were given. Tell what you see and feel, and claim nothing.',
		`## Hooks and angles\n\n${document.angles.map(formatAngle).join('\n\n')}`,
		`## Shot list\n\n${formatShots(document)}`,
		`## Do\n\n${formatBullets(document.do)}`,
		`## Don’t\n\n${formatBullets(document.dont)}`,
		`## Sources\n\n${formatBullets(sources.map(({ title: name, url }) => `[${name}](${url})`))}`,
	];
	// docs/api.md section 4.3: campaign terms are added word for word.
	if (campaignTerms) sections.push(`## Campaign terms\n\n${campaignTerms}`);
	return sections.join('\n\n') + '\n';
}

function formatAngle(angle: BriefDocument['angles'][number], index: number): string {
	const steps = angle.outline.map((step, number) => `${number + 1}. ${step}`).join('\n');
	return `### ${index + 1}. ${angle.name}\n\n> ${angle.hook}\n\n${angle.why}\n\n${steps}`;
}

function formatShots({ shots }: BriefDocument): string {
	const rows = shots.map(
		({ shot, seconds, purpose }, index) => `| ${index + 1} | ${shot} | ${seconds} s | ${purpose} |`,
	);
	return ['| # | Shot | Length | Purpose |', '|---|---|---|---|', ...rows].join('\n');
}

function formatBullets(lines: string[]): string {
	return lines.map((line) => `- ${line}`).join('\n');
}
