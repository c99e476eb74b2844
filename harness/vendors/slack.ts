import { isRecord } from '../is-record';
import { bearerOf, type Vendor, type VendorAnswer, type VendorRequest } from './vendor';

interface SlackMessage {
	channel: string;
	text: string;
	blocks?: unknown;
	ts: string;
	[field: string]: unknown;
}

const slackToken = 'xoxb-local-stand-in';

/** As much of Slack as its n8n node needs to post messages. Slack answers 200 to everything and says `ok: false`. */
export class SlackStandIn implements Vendor {
	readonly hosts = ['slack.com'];
	readonly channels = [
		{ id: 'C0BRIEFS01', name: 'briefs', is_channel: true },
		{ id: 'C0ALERTS01', name: 'alerts', is_channel: true },
	];
	/** What was posted, oldest first. */
	readonly messages: SlackMessage[] = [];

	/** The credential of type slackApi that this stand-in takes. */
	readonly credential = {
		type: 'slackApi',
		data: { accessToken: slackToken, signatureSecret: '' },
	};

	answer(request: VendorRequest): VendorAnswer {
		if (bearerOf(request) !== slackToken) return refuse('invalid_auth');
		const method = request.path.replace('/api/', '');
		if (method === 'chat.postMessage') return this.post(request.body);
		if (method === 'conversations.list') {
			return {
				body: { ok: true, channels: this.channels, response_metadata: { next_cursor: '' } },
			};
		}
		if (method === 'users.list') {
			return { body: { ok: true, members: [], response_metadata: { next_cursor: '' } } };
		}
		if (method === 'users.profile.get' || method === 'auth.test') {
			return { body: { ok: true, profile: { real_name: 'n8n' }, team: 'Local', user: 'n8n' } };
		}
		return refuse('unknown_method');
	}

	private post(body: unknown): VendorAnswer {
		if (!isRecord(body)) return refuse('invalid_arguments');
		const target = String(body['channel']).replace(/^#/, '');
		const channel = this.channels.find(({ id, name }) => id === target || name === target);
		if (!channel) return refuse('channel_not_found');
		const { text = '' } = body;
		if (text === '' && !body['blocks'] && !body['attachments']) return refuse('no_text');
		const ts = `1700000000.${String(this.messages.length + 1).padStart(6, '0')}`;
		const message = { ...body, channel: channel.name, text: String(text), ts };
		this.messages.push(message);
		return {
			body: {
				ok: true,
				channel: channel.id,
				ts,
				message: { type: 'message', text: message.text, ts },
			},
		};
	}
}

function refuse(error: string): VendorAnswer {
	return { body: { ok: false, error } };
}
