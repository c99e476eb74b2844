import type { Action, History } from './history';

/** Drops actions, faults and options while the history still breaks a promise. */
export async function shrinkHistory(
	history: History,
	isBroken: (history: History) => Promise<boolean>,
): Promise<History> {
	for (const simpler of listSimpler(history))
		if (await isBroken(simpler)) return await shrinkHistory(simpler, isBroken);
	return history;
}

function* listSimpler({ service, actions }: History): Generator<History> {
	for (const index of actions.keys()) yield { service, actions: actions.toSpliced(index, 1) };
	for (const [index, action] of actions.entries())
		for (const simpler of listSimplerActions(action))
			yield { service, actions: actions.with(index, simpler) };
	if (service.lagMs > 0) yield { service: { ...service, lagMs: 0 }, actions };
	if (service.keys !== 'for ever') yield { service: { ...service, keys: 'for ever' }, actions };
	if (service.inputs !== 'shown') yield { service: { ...service, inputs: 'shown' }, actions };
	if (service.shiftSeconds > 0) yield { service: { ...service, shiftSeconds: 0 }, actions };
	if (service.failing !== 'none') yield { service: { ...service, failing: 'none' }, actions };
}

function* listSimplerActions(action: Action): Generator<Action> {
	for (const index of action.faults.keys())
		yield { ...action, faults: action.faults.toSpliced(index, 1) };
	if (action.max !== null) yield { ...action, max: null };
	if (action.isOnly) yield { ...action, isOnly: false };
	if (!action.hasIds) yield { ...action, hasIds: true };
	if (action.isAtOnce) yield { ...action, isAtOnce: false };
	if (action.passMs > 1000) yield { ...action, passMs: 1000 };
}
