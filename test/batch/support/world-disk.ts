import type { Disk } from '../../../batch/folder/disk';
import type { Oracle } from '../../support/oracle';
import type { VirtualProcess } from '../../support/virtual-process';

/** Returns a disk as a process sees it. The disk can become full, and the process can die at each write. */
export function openDisk(disk: Disk, process: VirtualProcess, getOracle: () => Oracle): Disk {
	const chooseFault = (...deaths: string[]) => {
		process.checkAlive();
		if (process.isDiskFull) return 'disk is full';
		return getOracle().choose(...deaths.map((when) => `dies ${when}`), 'disk is full');
	};
	const refuseWrite = (path: string) => {
		process.isDiskFull = true;
		throw makeDiskFullError(path);
	};
	return Object.assign(Object.create(disk) as Disk, {
		async append(path: string, bytes: Buffer): Promise<void> {
			const fault = chooseFault('before a line', 'in a line', 'after a line');
			if (fault === 'dies before a line') process.die();
			const isPartial = fault === 'dies in a line' || fault === 'disk is full';
			await disk.append(path, isPartial ? bytes.subarray(0, bytes.length / 2) : bytes);
			if (fault === 'disk is full') refuseWrite(path);
			if (fault !== '') process.die();
		},
		async replace(path: string, bytes: Buffer): Promise<void> {
			const fault = chooseFault('before a file', 'after a file');
			if (fault === 'dies before a file') process.die();
			if (fault === 'disk is full') refuseWrite(path);
			await disk.replace(path, bytes);
			if (fault !== '') process.die();
		},
	});
}

/** Returns the error of Node.js for a disk without space. */
export function makeDiskFullError(path: string): NodeJS.ErrnoException {
	const error = new Error(`ENOSPC: no space left on device, write '${path}'`);
	return Object.assign(error, { code: 'ENOSPC', syscall: 'write', path });
}
