import { MemoryDisk } from './memory-disk';
import type { Oracle } from '../../support/oracle';
import type { VirtualProcess } from '../../support/virtual-process';

/** The disk as a process sees it. It can become full, and the process can die at each write. */
export class WorldDisk extends MemoryDisk {
	constructor(
		files: Map<string, Buffer>,
		private readonly process: VirtualProcess,
		private readonly getOracle: () => Oracle,
	) {
		super(files);
	}

	override async append(path: string, bytes: Buffer): Promise<void> {
		const fault = this.chooseFault('before a line', 'in a line', 'after a line');
		if (fault === 'dies before a line') this.process.die();
		const isPartial = fault === 'dies in a line' || fault === 'disk is full';
		await super.append(path, isPartial ? bytes.subarray(0, bytes.length / 2) : bytes);
		if (fault === 'disk is full') this.refuseWrite(path);
		if (fault !== '') this.process.die();
	}

	override async replace(path: string, bytes: Buffer): Promise<void> {
		const fault = this.chooseFault('before a file', 'after a file');
		if (fault === 'dies before a file') this.process.die();
		if (fault === 'disk is full') this.refuseWrite(path);
		await super.replace(path, bytes);
		if (fault !== '') this.process.die();
	}

	private chooseFault(...deaths: string[]): string {
		this.process.checkAlive();
		if (this.process.isDiskFull) return 'disk is full';
		return this.getOracle().choose(...deaths.map((when) => `dies ${when}`), 'disk is full');
	}

	private refuseWrite(path: string): never {
		this.process.isDiskFull = true;
		throw makeDiskFullError(path);
	}
}

/** Returns the error of Node.js for a disk without space. */
export function makeDiskFullError(path: string): NodeJS.ErrnoException {
	const error = new Error(`ENOSPC: no space left on device, write '${path}'`);
	return Object.assign(error, { code: 'ENOSPC', syscall: 'write', path });
}
