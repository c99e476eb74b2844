import type { Brief, BriefInput } from '../api/types';
import { normalizeField } from '../input/content';
import type { InputField } from '../input/input-fields';
import { readShownInput, showsMoreThanName } from '../input/shown-input';

/**
 * How the service shows the inputs of the briefs of a workspace, learned from the briefs that it returns. In memory only,
 * because every process can learn it again.
 */
export class InputDisplay {
	private hasShownFields = false;
	private readonly rewritten = new Set<InputField>();

	/** True if a brief has shown a field other than its name. Then a brief that shows its name alone was ordered like that. */
	get showsFields(): boolean {
		return this.hasShownFields;
	}

	get rewritesFields(): boolean {
		return this.rewritten.size > 0;
	}

	/** True if the service has shown another value of this field than was sent, so that a difference proves nothing. */
	isRewritten(field: InputField): boolean {
		return this.rewritten.has(field);
	}

	addBrief({ input }: Brief): void {
		this.hasShownFields ||= showsMoreThanName(readShownInput(input));
	}

	/** @param input the input that the brief was ordered with */
	addOwnBrief(brief: Brief, input: BriefInput): void {
		this.addBrief(brief);
		for (const [field, values] of readShownInput(brief.input).byField)
			if (!values.has(normalizeField(field, input[field]))) this.rewritten.add(field);
	}
}
