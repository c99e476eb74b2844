import { getBearerToken, type Vendor, type VendorAnswer, type VendorRequest } from './vendor';

interface ChatMessage {
	role: string;
	content: string;
}

interface ToolCall {
	call: string;
	with: Record<string, unknown>;
}

/** A step of the model: it calls one or several tools, or it ends its turn with a message. */
type ChatStep = ToolCall | { calls: ToolCall[] } | { say: string };

/** A tool as n8n offers it to the model. */
interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties?: Record<string, unknown>; required?: string[] };
}

interface ChatRequest {
	messages: ChatMessage[];
	tools?: Array<{ function: OfferedTool }>;
	stream?: boolean;
}

const API_KEY = 'sk-local-stand-in';

/** A stand-in for OpenAI, with the calls that n8n's AI Agent needs. A test scripts the steps of the model. */
export class ChatModelStandIn implements Vendor {
	/** Old versions of n8n call OpenAI without the proxy, so the credential has an address on this machine. */
	readonly hosts = ['127.0.0.1'];
	/** The next steps. Each is called with the answers of the tools in this conversation. */
	readonly steps: Array<(toolAnswers: string[]) => ChatStep> = [];
	/** The tools of the newest request. */
	tools: OfferedTool[] = [];
	/** The conversation of the newest request. */
	messages: ChatMessage[] = [];

	/** Returns the credential that this stand-in accepts at `origin`. */
	credential(origin: string) {
		return { type: 'openAiApi', data: { apiKey: API_KEY, url: `${origin}/v1` } };
	}

	answer(request: VendorRequest): VendorAnswer {
		if (getBearerToken(request) !== API_KEY) return refuse(401, 'Incorrect API key provided');
		if (request.path !== '/v1/chat/completions') return refuse(404, 'Unknown request URL');
		const { messages, tools = [], stream } = request.body as ChatRequest;
		this.messages = messages;
		this.tools = tools.map((tool) => tool.function);
		const step = this.steps.shift();
		if (step === undefined) return refuse(400, 'The script of the model has no next step');
		const message = buildMessage(step(this.toolAnswers()), messages.length);
		// Agents of version 1 request a stream. Its first event contains the whole message.
		return stream === true
			? { body: null, events: [buildCompletion('chat.completion.chunk', 'delta', message)] }
			: { body: buildCompletion('chat.completion', 'message', message) };
	}

	/** Returns the answers of the tools in this conversation, oldest first. */
	toolAnswers(): string[] {
		return this.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
	}
}

interface Message {
	role: string;
	content: string | null;
	tool_calls?: object[];
}

function buildMessage(step: ChatStep, turn: number): Message {
	if ('say' in step) return { role: 'assistant', content: step.say };
	const calls = 'calls' in step ? step.calls : [step];
	const tool_calls = calls.map((each, index) => ({
		index,
		id: `call_${turn}_${index}`,
		type: 'function',
		function: { name: each.call, arguments: JSON.stringify(each.with) },
	}));
	return { role: 'assistant', content: null, tool_calls };
}

function buildCompletion(object: string, field: 'message' | 'delta', message: Message): object {
	const finish_reason = message.tool_calls === undefined ? 'stop' : 'tool_calls';
	return {
		id: 'chatcmpl-1',
		object,
		created: 1_700_000_000,
		model: 'gpt-4o-mini',
		choices: [{ index: 0, [field]: message, finish_reason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function refuse(status: number, message: string): VendorAnswer {
	return { status, body: { error: { message, type: 'invalid_request_error', code: null } } };
}
