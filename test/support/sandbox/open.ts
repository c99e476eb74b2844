import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';

const open: Sandbox[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

/** Opens a sandbox in which no brief fails by chance. It closes when the test has ended. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ failureShare: 0, ...options });
	open.push(sandbox);
	return sandbox;
}
