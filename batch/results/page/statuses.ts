import type { RowStatus } from '../../folder/journal/row-status';
import { markup, type Html } from './html';

/** Each status in words and with a sign, because not every reader sees colours. */
export const STATUS_WORDS: Record<RowStatus, { word: string; sign: string; means: string }> = {
	ready: { word: 'Ready', sign: '✓', means: 'written' },
	failed: { word: 'Failed', sign: '✕', means: 'no finished brief' },
	invalid: { word: 'Invalid', sign: '!', means: 'not sent, nothing spent' },
	parked: { word: 'Parked', sign: '‖', means: 'needs you' },
	changed: { word: 'Changed', sign: '≠', means: 'not what was ordered' },
	deferred: { word: 'Deferred', sign: '↻', means: 'waits for new allowance' },
	pending: { word: 'Pending', sign: '…', means: 'waits for its turn' },
	left_out: { word: 'Left out', sign: '–', means: 'no row of the list' },
};

export function badge(status: RowStatus): Html {
	const { word, sign } = STATUS_WORDS[status];
	return markup`<span class="badge ${status}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}
