import { getBearerToken, type Vendor, type VendorAnswer, type VendorRequest } from './vendor';

interface SlackMessage {
	channel: string;
	text: string;
}

const TOKEN = 'xoxb-local-stand-in';
const CHANNELS = [
	{ id: 'C0BRIEFS01', name: 'briefs', is_channel: true },
	{ id: 'C0ALERTS01', name: 'alerts', is_channel: true },
];

/** A stand-in for Slack, with the calls that n8n's node needs to post messages. Slack answers every request with 200. */
export class SlackStandIn implements Vendor {
	readonly hosts = ['slack.com'];
	/** The messages that were posted, oldest first. */
	readonly messages: SlackMessage[] = [];
	/** The credential that this stand-in accepts. */
	readonly credential = { type: 'slackApi', data: { accessToken: TOKEN, signatureSecret: '' } };

	answer(request: VendorRequest): VendorAnswer {
		if (getBearerToken(request) !== TOKEN) return refuse('invalid_auth');
		const page = { response_metadata: { next_cursor: '' } };
		switch (request.path.replace('/api/', '')) {
			case 'chat.postMessage':
				return this.post(request.body as Partial<SlackMessage>);
			case 'conversations.list':
				return { body: { ok: true, channels: CHANNELS, ...page } };
			case 'users.list':
				return { body: { ok: true, members: [], ...page } };
			case 'users.profile.get':
			case 'auth.test':
				return { body: { ok: true, profile: { real_name: 'n8n' }, team: 'Local', user: 'n8n' } };
			default:
				return refuse('unknown_method');
		}
	}

	private post({ channel: target = '', text = '' }: Partial<SlackMessage>): VendorAnswer {
		const name = target.replace(/^#/, '');
		const channel = CHANNELS.find((each) => each.id === name || each.name === name);
		if (!channel) return refuse('channel_not_found');
		if (text === '') return refuse('no_text');
		this.messages.push({ channel: channel.name, text });
		const ts = `1700000000.${String(this.messages.length).padStart(6, '0')}`;
		const message = { type: 'message', text, ts };
		return { body: { ok: true, channel: channel.id, ts, message } };
	}
}

function refuse(error: string): VendorAnswer {
	return { body: { ok: false, error } };
}
