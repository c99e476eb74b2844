import { success, type Answer } from '../answer';
import { fullBriefOf, shownId } from '../briefs/shapes';
import { notFound } from '../refusal';
import type { Call, Service } from '../service-state';

/** docs/api.md section 4.4. A brief of another workspace does not exist in the calling one. */
export function answerGetBrief({ briefs, clock, seed, switches }: Service, call: Call): Answer {
	const id = String(call.path['id']);
	call.about(id.toLowerCase());
	const brief = briefs.find(id);
	if (brief?.workspace !== call.key.workspace.id) throw notFound('brief');
	if (switches.briefIds === 'capitals' && id !== shownId(brief, switches)) throw notFound('brief');
	return success(fullBriefOf(brief, { now: clock.now(), seed, switches }));
}
