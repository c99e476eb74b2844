import type { Send } from '../../service/api/ports';
import { BriefingService } from '../../service/api/service';
import { clock } from './node-clock';

/** The addresses at which the service has answered in this process. */
const knownAddresses = new Set<string>();

/** Makes the service at an address. What answers there later cannot show that the address is wrong. */
export function serviceAt(baseUrl: string, send: Send): BriefingService {
	const service = new BriefingService(send, clock, () => {
		if (service.hasAnswered) knownAddresses.add(baseUrl);
	});
	if (knownAddresses.has(baseUrl)) service.trustAddress();
	return service;
}
