import { N8nProcess, type ProcessOptions } from './n8n-process';

/** A worker of n8n in queue mode. */
export class N8nWorker extends N8nProcess {
	constructor(options: ProcessOptions) {
		super('worker', options);
	}

	/** Whether this worker has started the execution. */
	hasStarted(executionId: string): boolean {
		return this.log.includes(`Worker started execution ${executionId} (`);
	}

	protected override isReady(log: string): boolean {
		return log.includes('n8n worker is now ready');
	}
}
