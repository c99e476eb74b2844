import type { Switches } from './switches';

/** docs/api.md section 2: the format of timestamps is not shown, so it is a switch. */
export function timestamp(ms: number, format: Switches['timestamps']): string | number {
	const date = new Date(ms);
	switch (format) {
		case 'iso':
			return date.toISOString();
		case 'iso-offset':
			return pacific(ms);
		case 'epoch-seconds':
			return Math.floor(ms / 1000);
		case 'epoch-ms-string':
			return String(ms);
		case 'rfc1123':
			return date.toUTCString();
	}
}

/** The same moment, written with the offset of the US west coast in winter. */
function pacific(ms: number): string {
	return new Date(ms - 8 * 3_600_000).toISOString().replace('Z', '-08:00');
}
