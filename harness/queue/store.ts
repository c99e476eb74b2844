/** A server that n8n keeps something in, and the settings by which n8n finds it. */
export interface Store {
	env: Record<string, string>;
	dispose: () => Promise<void>;
}
