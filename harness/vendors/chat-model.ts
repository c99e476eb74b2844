import { isRecord } from '../is-record';
import { bearerOf, type Vendor, type VendorAnswer, type VendorRequest } from './vendor';

interface ChatMessage {
	role: string;
	content: string;
}

interface ToolCall {
	call: string;
	with: Record<string, unknown>;
}

/** What the model does next: calls a tool, or several in one turn, or says something, which ends its work. */
type ChatStep = ToolCall | { calls: ToolCall[] } | { say: string };

/** A tool as it was offered to the model. */
interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties?: Record<string, unknown>; required?: string[] };
}

const modelKey = 'sk-local-stand-in';

/** As much of OpenAI as an AI Agent of n8n needs. What the model does is scripted by the test, step by step. */
export class ChatModelStandIn implements Vendor {
	/** Old versions of n8n ask OpenAI past the proxy, so it has an address on this machine instead. */
	readonly hosts = ['127.0.0.1'];
	/** Its answers to the next requests. Each may depend on what the tools have answered so far. */
	readonly steps: Array<(toolAnswers: string[]) => ChatStep> = [];
	/** The tools of the newest request. */
	tools: OfferedTool[] = [];
	/** The conversation, as in the newest request. */
	messages: ChatMessage[] = [];

	/** The credential of type openAiApi that this stand-in accepts at `origin`. */
	credential(origin: string) {
		return { type: 'openAiApi', data: { apiKey: modelKey, url: `${origin}/v1` } };
	}

	answer(request: VendorRequest): VendorAnswer {
		if (bearerOf(request) !== modelKey) return refuse(401, 'Incorrect API key provided');
		if (request.path !== '/v1/chat/completions' || !isRecord(request.body)) {
			return refuse(404, `Unknown request URL: ${request.method} ${request.path}`);
		}
		const { messages, tools, stream } = request.body;
		this.messages = messages as ChatMessage[];
		this.tools = ((tools ?? []) as Array<{ function: OfferedTool }>).map((tool) => tool.function);
		const step = this.steps.shift();
		if (step === undefined) return refuse(400, 'No step of the story comes next');
		const message = messageOf(step(this.toolAnswers()), this.messages.length);
		// Agents of version 1 want it in pieces; one that holds it all is allowed.
		return stream === true
			? { body: null, events: [completion({ delta: message }, true)] }
			: { body: completion({ message }, false) };
	}

	/** What the tools have answered so far in this conversation, oldest first. */
	toolAnswers(): string[] {
		return this.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
	}
}

function messageOf(step: ChatStep, turn: number): object {
	if ('say' in step) return { role: 'assistant', content: step.say };
	const calls = 'calls' in step ? step.calls : [step];
	const tool_calls = calls.map((each, index) => {
		const call = { name: each.call, arguments: JSON.stringify(each.with) };
		return { index, id: `call_${turn}_${index}`, type: 'function', function: call };
	});
	return { role: 'assistant', content: null, tool_calls };
}

function completion(message: { message: object } | { delta: object }, isChunk: boolean): object {
	const { tool_calls } = Object.values(message)[0] as { tool_calls?: object[] };
	const finish_reason = tool_calls === undefined ? 'stop' : 'tool_calls';
	return {
		id: 'chatcmpl-1',
		object: isChunk ? 'chat.completion.chunk' : 'chat.completion',
		created: 1_700_000_000,
		model: 'gpt-4o-mini',
		choices: [{ index: 0, ...message, finish_reason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function refuse(status: number, message: string): VendorAnswer {
	return { status, body: { error: { message, type: 'invalid_request_error', code: null } } };
}
