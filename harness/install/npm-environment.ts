import { delimiter } from 'node:path';
import type { NodeRuntime } from './node-runtime';

/** The environment for an npm that runs on this Node, and that does not think it is in this repository. */
export function npmEnvironment(node: NodeRuntime): NodeJS.ProcessEnv {
	const env: NodeJS.ProcessEnv = { ...process.env };
	// An npm script hands its own settings on in the environment. They are this repository's, not n8n's.
	for (const name of Object.keys(env)) {
		if (
			/^npm_(config_(local_prefix|prefix|workspace|workspaces)|package_|lifecycle_)/i.test(name)
		) {
			Reflect.deleteProperty(env, name);
		}
	}
	env['PATH'] = node.binDir + delimiter + (process.env['PATH'] ?? '');
	env['npm_config_update_notifier'] = 'false';
	return env;
}
