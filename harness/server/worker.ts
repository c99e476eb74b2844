import { cp, rm } from 'node:fs/promises';
import { N8nProcess, type ProcessOptions } from './n8n-process';
import { communityNodes, freshUserFolder } from './user-folder';

/** A worker of queue mode, with its own user folder, as on another machine. */
export class N8nWorker extends N8nProcess {
	private constructor(options: ProcessOptions, userFolder: string) {
		super('worker', options, userFolder);
	}

	/** With the community nodes that are in another n8n's user folder. */
	static async start(options: ProcessOptions, nodesFrom: string): Promise<N8nWorker> {
		const userFolder = await freshUserFolder();
		const worker = new N8nWorker(options, userFolder);
		try {
			await cp(communityNodes(nodesFrom), communityNodes(userFolder), { recursive: true });
			await worker.launch();
		} catch (error) {
			await worker.dispose();
			throw error;
		}
		return worker;
	}

	/** Whether it has taken this execution from the queue. */
	hasTaken(executionId: string): boolean {
		return this.log.includes(`Worker started execution ${executionId} (`);
	}

	async dispose(): Promise<void> {
		await this.stop(10_000);
		await rm(this.userFolder, { recursive: true, force: true, maxRetries: 3 });
	}

	protected override isReady(log: string): boolean {
		return log.includes('n8n worker is now ready');
	}
}
