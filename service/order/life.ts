import type { EventType } from './events';
import type { Stage } from './states';

/** The life of an order: what can happen in each stage, and the stage that follows. Nothing else can happen. */
export const LIFE: Readonly<Record<Stage, Partial<Record<EventType, Stage>>>> = {
	to_order: {
		looked: 'to_order',
		accepted: 'running',
		parked: 'parked',
		queued: 'waiting',
		deferred: 'deferred',
	},
	waiting: { got_slot: 'cleared', answered: 'answered' },
	cleared: {
		waited: 'cleared',
		looked: 'cleared',
		intended: 'cleared',
		withdrawn: 'cleared',
		returned_slot: 'waiting',
		sent: 'sent',
		accepted: 'running',
		answered: 'answered',
		deferred: 'deferred',
		given_up: 'in_doubt',
		parked: 'parked',
	},
	sent: { accepted: 'running', turned_away: 'sent', answered: 'answered' },
	answered: {
		waited: 'cleared',
		returned_slot: 'waiting',
		withdrawn: 'to_order',
		refused: 'refused',
		given_up: 'in_doubt',
	},
	in_doubt: {
		looked: 'in_doubt',
		waited: 'in_doubt',
		queued: 'waiting',
		withdrawn: 'to_order',
		accepted: 'running',
		given_up: 'in_doubt',
		parked: 'parked',
	},
	running: { seen: 'running', ended: 'ended', parked: 'parked' },
	ended: { filed: 'done', parked: 'parked' },
	parked: { looked: 'parked', accepted: 'running', seen: 'running', parked: 'parked' },
	done: {},
	refused: {},
	deferred: {},
};
