import type { AddressFacts } from '../../service/api/classify';
import type { Send } from '../../service/api/ports';
import { BriefingService, newAddress } from '../../service/api/service';
import { clock } from './node-clock';

/** What this process has learnt of each address. */
const addresses = new Map<string, AddressFacts>();

/** Makes the service at an address: once it has answered there, no page makes the address wrong. */
export function serviceAt(baseUrl: string, send: Send): BriefingService {
	const address = addresses.get(baseUrl) ?? newAddress();
	addresses.set(baseUrl, address);
	return new BriefingService(send, clock, { address });
}
