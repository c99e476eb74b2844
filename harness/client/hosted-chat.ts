import { pollUntil } from '../process/poll-until';
import { readBody } from './api-session';
import { ChatSocket } from './chat-socket';
import type { N8nClient } from './client';
import type { SavedWorkflow } from '../workflows/workflow';

/** A message with buttons, which n8n shows for a Human Review. */
interface Review {
	text: string;
	buttons: Array<{ text: string; link: string }>;
}

interface StartedChat {
	executionId: string;
	resumeToken?: string;
}

const TIMEOUT_MS = 30_000;

/**
 * A conversation with a published chat that answers with Response Nodes. Each message of the user starts an execution, whose
 * messages come over a socket:
 *
 *     const chat = await HostedChat.say(client, saved, 'one', 'I need a brief for Glow Serum');
 *     await chat.press(await chat.readReview(), 'Approve');
 *     expect(await chat.readMessage()).toBe('Ordered');
 */
export class HostedChat {
	static async say(
		client: N8nClient,
		{ nodes }: SavedWorkflow,
		sessionId: string,
		chatInput: string,
	): Promise<HostedChat> {
		const trigger = nodes.find(({ type }) => type.endsWith('.chatTrigger'));
		const path = `${trigger?.webhookId}/chat`;
		const started = (await client.callWebhook(path, {
			action: 'sendMessage',
			sessionId,
			chatInput,
		})) as StartedChat;
		const query = new URLSearchParams({
			sessionId,
			executionId: started.executionId,
			isPublic: 'true',
			token: started.resumeToken ?? '',
		});
		const messages: string[] = [];
		const url = `${client.baseUrl}/chat?${query.toString()}`;
		const socket = await ChatSocket.open(url, (text) => {
			if (!text.startsWith('n8n|')) messages.push(text);
		});
		return new HostedChat(started.executionId, sessionId, messages, socket);
	}

	private constructor(
		readonly executionId: string,
		private readonly sessionId: string,
		/** The messages of n8n that were not read yet. */
		readonly messages: string[],
		private readonly socket: ChatSocket,
	) {}

	/** Waits for the next message, and removes it. */
	async readMessage(): Promise<string> {
		return await pollUntil(() => this.messages.shift(), {
			timeoutMs: TIMEOUT_MS,
			getTimeoutMessage: () => 'The chat sent no message.',
		});
	}

	/** Waits for the next Human Review. */
	async readReview(): Promise<Review> {
		return JSON.parse(await this.readMessage()) as Review;
	}

	/** Presses a button of a review. */
	async press({ buttons }: Review, label: string): Promise<void> {
		const link = buttons.find(({ text }) => text === label)?.link;
		if (link === undefined) throw new Error(`The review has no button “${label}”.`);
		// n8n ignores programs that only open links.
		const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
		await readBody('GET', link, await fetch(link, { headers }));
	}

	/** Types a message while the execution waits. */
	type(chatInput: string): void {
		const message = { sessionId: this.sessionId, action: 'sendMessage', chatInput };
		this.socket.send(JSON.stringify(message));
	}

	close(): void {
		this.socket.close();
	}
}
