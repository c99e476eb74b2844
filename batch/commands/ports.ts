import { createClock } from './clock';
import { readTable } from '../csv/read-table';
import { realDisk } from '../folder/disk';
import { lockFolder } from '../folder/lock';
import type { Ports } from './session';

/** Time that a create request on its way gets after Ctrl-C, so that its answer is not lost. */
const GRACE_MS = 5_000;

/** Returns the clock, disk and network of this process. */
export function openPorts(): Ports {
	return {
		clock: createClock(),
		disk: realDisk,
		lockFolder,
		connect: (endpoint) => {
			// `status` does not connect, and loading axios would double its time.
			const send = import('./http.js').then(({ createSend }) => createSend(endpoint, GRACE_MS));
			return async (request, signal) => await (await send)(request, signal);
		},
		readTable,
	};
}
