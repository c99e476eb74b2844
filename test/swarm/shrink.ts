import { listSimplerServices, type Action, type History } from './history';

/** Removes actions, faults and behaviors while the history still breaks its promise. */
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
	for (const simpler of listSimplerServices(service)) yield { service: simpler, actions };
}

function* listSimplerActions(action: Action): Generator<Action> {
	const { faults } = action;
	for (const index of faults.keys()) yield { ...action, faults: faults.toSpliced(index, 1) };
	for (const [index, fault] of faults.entries())
		if (fault.times > 1) yield { ...action, faults: faults.with(index, { ...fault, times: 1 }) };
	if (action.max !== null) yield { ...action, max: null };
	if (action.isOnly) yield { ...action, isOnly: false };
	if (!action.hasIds) yield { ...action, hasIds: true };
	if (action.isAtOnce) yield { ...action, isAtOnce: false };
	if (action.passMs > 1000) yield { ...action, passMs: 1000 };
	if (action.spelling > 0) yield { ...action, spelling: 0 };
	if (action.actor !== 'n8n') return;
	if (action.flow !== 'ends') yield { ...action, flow: 'ends' };
	if (action.row > 0) yield { ...action, row: action.row - 1 };
}
