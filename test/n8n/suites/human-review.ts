import { setTimeout as sleep } from 'node:timers/promises';
import { HostedChat } from '../../../harness/client/hosted-chat';
import { useExample, UUID } from '../../support/n8n/examples';
import { client, describeInNewest, n8n, openService, publish } from '../../support/n8n/rig';
import { matchText } from '../../support/values';

const chats: HostedChat[] = [];

function closeChats(): void {
	for (const chat of chats.splice(0)) chat.close();
	n8n().chatModel.steps.length = 0;
}

/** Publishes the example. It returns a function that says a message in one chat. */
async function openChat() {
	const service = await openService({ keyMemoryMs: 1 });
	const values = { '"public":false': '"public":true' };
	const saved = await publish(await useExample('agent-asks-before-ordering.json', service, values));
	const say = async (text: string) => {
		const chat = await HostedChat.say(client(), saved, 'one', text);
		chats.push(chat);
		return chat;
	};
	return { service, say, steps: n8n().chatModel.steps };
}

const order = (product: string, direction: string) => ({
	call: 'Order_a_brief',
	with: {
		toolParameters: { Product_Name: product, Creative_Direction: direction },
		hitlParameters: {},
	},
});
const serum = order('Glow Serum', 'Before and after');

export function humanReview(): void {
	describeInNewest('the example agent-asks-before-ordering', () => {
		afterEach(closeChats);

		test('orders the brief after Approve', async () => {
			const { service, say, steps } = await openChat();
			steps.push(
				() => serum,
				(answers) => ({ say: `Ordered: ${UUID.exec(answers.at(-1) ?? '')?.[0]}` }),
			);
			const chat = await say('I need a brief for Glow Serum');
			const review = await chat.readReview();
			expect(review.text).toMatch(/^Order a brief for Glow Serum\? .*\n\nBefore and after$/);
			expect(review.buttons.map(({ text }) => text).sort()).toEqual(['Approve', 'Decline']);
			expect(service.sandbox.createdCount()).toBe(0);
			await chat.press(review, 'Approve');
			const answer = await chat.readMessage();
			expect(answer).toBe(`Ordered: ${service.sandbox.briefs()[0]!.id}`);
			expect(service.sandbox.createdCount()).toBe(1);
		});

		test('orders nothing after Decline, and the model is told to stop', async () => {
			const { service, say, steps } = await openChat();
			const told: string[] = [];
			steps.push(
				() => serum,
				(answers) => (told.push(...answers), { say: 'Not ordered.' }),
			);
			const chat = await say('I need a brief for Glow Serum');
			await chat.press(await chat.readReview(), 'Decline');
			expect(await chat.readMessage()).toBe('Not ordered.');
			expect(told).toEqual([matchText(/rejected the tool call.*STOP/s)]);
			expect(service.count('create_brief')).toBe(0);
		});

		test('orders nothing after a typed yes, which the model gets as a text', async () => {
			const { service, say, steps } = await openChat();
			const told: string[] = [];
			steps.push(
				() => serum,
				(answers) => (told.push(...answers), { say: 'Please press Approve.' }),
			);
			const chat = await say('I need a brief for Glow Serum');
			await chat.readReview();
			chat.type('yes');
			expect(await chat.readMessage()).toBe('Please press Approve.');
			expect(told).toEqual([matchText(/provided feedback: .*yes/)]);
			expect(service.count('create_brief')).toBe(0);
		});

		test('shows no buttons for two calls in one message, and orders nothing', async () => {
			const { service, say, steps } = await openChat();
			const calls = { calls: [serum, order('Lip Oil', 'Before and after')] };
			steps.push(
				() => calls,
				() => ({ say: 'Done.' }),
			);
			const chat = await say('I need briefs for Glow Serum and Lip Oil');
			await sleep(10_000);
			expect(chat.messages.join()).not.toContain('buttons');
			expect(service.count('create_brief')).toBe(0);
		});

		test('pays once if the same brief is approved in two messages, and gets it when it is ready', async () => {
			const { service, say, steps } = await openChat();
			for (const message of ['I need a brief for Glow Serum', 'Order it again']) {
				steps.push(
					() => serum,
					(answers) => ({ say: UUID.exec(answers.at(-1) ?? '')?.[0] ?? '' }),
				);
				const chat = await say(message);
				await chat.press(await chat.readReview(), 'Approve');
				expect(await chat.readMessage()).toBe(service.sandbox.briefs()[0]!.id);
			}
			expect(service.sandbox.createdCount()).toBe(1);
			const { id } = service.sandbox.briefs()[0]!;
			service.sandbox.finish(id);
			steps.push(
				() => ({ call: 'Get_a_brief', with: { Brief_ID: id } }),
				(answers) => ({ say: answers.at(-1) ?? '' }),
			);
			const chat = await say('Is it ready?');
			expect(await chat.readMessage()).toMatch(/"status":"ready".*# /);
		});
	});
}
