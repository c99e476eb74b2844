import { isIP, BlockList } from 'node:net';
import { Failure } from '../failure';

/** The address of a notification. Its path, parameters or password may be a secret: only `name` is ever shown. */
export interface Webhook {
	url: string;
	/** "https://hooks.slack.com/…" */
	name: string;
}

/** Addresses that only a machine of the same network can reach. */
const PRIVATE = new BlockList();
PRIVATE.addSubnet('127.0.0.0', 8);
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('169.254.0.0', 16);
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

/** Names that are not in the public DNS: of a container, of a machine in the same network. */
const PRIVATE_NAME = /^[^.]+$|\.(localhost|local|internal|lan|home\.arpa)$/i;

/**
 * Reads the URL of --notify. Without encryption it may lead to this machine or a private network only: n8n often runs
 * there.
 * @throws {Failure} that does not show it
 */
export function readWebhook(text: string): Webhook {
	const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
	if (url === null || !/^https?:$/.test(url.protocol)) {
		throw new Failure(
			'--notify takes the URL of a webhook.',
			'It looks like https://hooks.slack.com/services/… or https://n8n.example.com/webhook/…',
		);
	}
	const name = `${url.protocol}//${url.host}/…`;
	if (url.protocol === 'http:' && !isPrivate(url.hostname)) {
		throw new Failure(
			`--notify ${name} would send the summary without encryption.`,
			'Use https:// (http:// is for this machine and for private networks only).',
		);
	}
	return { url: url.href, name };
}

function isPrivate(host: string): boolean {
	const address = host.replace(/^\[|\]$/g, '');
	switch (isIP(address)) {
		case 4:
			return PRIVATE.check(address, 'ipv4');
		case 6:
			return PRIVATE.check(address, 'ipv6');
		default:
			return PRIVATE_NAME.test(host);
	}
}
