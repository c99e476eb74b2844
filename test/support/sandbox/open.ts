import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';

const open: Sandbox[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

/** A sandbox in which no brief fails by chance, and which ends with the test. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ failureShare: 0, ...options });
	open.push(sandbox);
	return sandbox;
}
