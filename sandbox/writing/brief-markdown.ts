import type { BriefInput } from '../briefs/brief-input';
import type { BriefDocument } from './brief-document';
import type { Source } from './sources';

interface Parts {
	title: string;
	input: BriefInput;
	document: BriefDocument;
	facts: string[];
	sources: Source[];
	category: string;
}

/** The finished brief, ready to share (docs/api.md section 2.2, `markdown`). */
export function markdownOf({ title, input, document, facts, sources, category }: Parts): string {
	const seconds = document.shots.reduce((sum, shot) => sum + shot.seconds, 0);
	const sections = [
		`# ${title}`,
		`*Category: ${category}. Length: about ${seconds} seconds, vertical, one creator.*`,
		`## Mission\n\n${document.mission}`,
		`## Audience\n\n${document.audience}`,
		`## Talking points\n\n${bullets(document.talking_points)}`,
		facts.length > 0
			? `## Approved facts\n\nOnly these may be stated as fact:\n\n${bullets(facts)}`
			: '## Approved facts\n\nNone were given. Tell what you see and feel, and claim nothing.',
		`## Hooks and angles\n\n${document.angles.map(angleText).join('\n\n')}`,
		`## Shot list\n\n${shotTable(document)}`,
		`## Do\n\n${bullets(document.do)}`,
		`## Don’t\n\n${bullets(document.dont)}`,
		`## Sources\n\n${bullets(sources.map(({ title: name, url }) => `[${name}](${url})`))}`,
	];
	// docs/api.md section 4.3: campaign terms are appended to the brief as written.
	if (input.campaign_terms) sections.push(`## Campaign terms\n\n${input.campaign_terms}`);
	return sections.join('\n\n') + '\n';
}

function angleText(angle: BriefDocument['angles'][number], index: number): string {
	const steps = angle.outline.map((step, step0) => `${step0 + 1}. ${step}`).join('\n');
	return `### ${index + 1}. ${angle.name}\n\n> ${angle.hook}\n\n${angle.why}\n\n${steps}`;
}

function shotTable({ shots }: BriefDocument): string {
	const rows = shots.map(
		({ shot, seconds, purpose }, index) => `| ${index + 1} | ${shot} | ${seconds} s | ${purpose} |`,
	);
	return ['| # | Shot | Length | Purpose |', '|---|---|---|---|', ...rows].join('\n');
}

function bullets(lines: string[]): string {
	return lines.map((line) => `- ${line}`).join('\n');
}
