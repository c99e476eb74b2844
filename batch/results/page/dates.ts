const FIELDS = {
	date: { day: 'numeric', month: 'short', year: 'numeric' },
	time: { hour: '2-digit', minute: '2-digit' },
	timeToTheSecond: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
	month: { month: 'long', year: 'numeric' },
	zoneName: { timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** For all pages of a run: to make one takes longer than to use it a hundred times. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function formatOf(fields: keyof typeof FIELDS, timeZone: string): Intl.DateTimeFormat {
	const key = `${fields} ${timeZone}`;
	let format = FORMATS.get(key);
	if (format === undefined) {
		format = new Intl.DateTimeFormat('en-GB', { ...FIELDS[fields], timeZone });
		FORMATS.set(key, format);
	}
	return format;
}

let machineZone: string | undefined;

/** UTC if the variable TZ is empty or names no zone: Node.js then gives a name that it refuses itself, or none. */
function zoneOfMachine(): string {
	const { timeZone } = new Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
	return timeZone !== undefined && isZone(timeZone) ? timeZone : 'UTC';
}

function isZone(timeZone: string): boolean {
	try {
		formatOf('zoneName', timeZone);
		return true;
	} catch {
		return false;
	}
}

/** Dates and times for people in one time zone, which the page names: it cannot know that of its reader. */
export class DateFormatter {
	/** @param zone as in the IANA list; by default the machine's own */
	constructor(private readonly zone = (machineZone ??= zoneOfMachine())) {}

	/** "20 Nov 2026, 14:03" */
	dateTime(instant: number): string {
		return `${this.date(instant)}, ${this.time(instant)}`;
	}

	/** "20 Nov 2026" */
	date(instant: number): string {
		return this.format(instant, 'date');
	}

	/** "14:03" */
	time(instant: number): string {
		return this.format(instant, 'time');
	}

	/** "14:03:22" */
	timeToTheSecond(instant: number): string {
		return this.format(instant, 'timeToTheSecond');
	}

	/** "20 Nov 2026, 14:03–15:10", or both dates if they differ. */
	span(from: number, to: number): string {
		if (this.date(from) !== this.date(to)) return `${this.dateTime(from)} – ${this.dateTime(to)}`;
		return this.time(from) === this.time(to)
			? this.dateTime(from)
			: `${this.dateTime(from)}–${this.time(to)}`;
	}

	/** "CET", "UTC", "GMT+2" */
	zoneName(instant: number): string {
		const parts = formatOf('zoneName', this.zone).formatToParts(instant);
		return parts.find(({ type }) => type === 'timeZoneName')?.value ?? this.zone;
	}

	private format(instant: number, fields: keyof typeof FIELDS): string {
		return formatOf(fields, this.zone).format(instant);
	}
}

/** "42 s", "4 min 10 s", "1 h 07 min", "2 days 3 h" */
export function durationToTheSecond(milliseconds: number): string {
	const seconds = Math.max(0, Math.round(milliseconds / 1000));
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60)
		return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
	const hours = Math.floor(minutes / 60);
	if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
	return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

/** "November 2026", in UTC, by which the allowance is counted. */
export function monthInWords(instant: number): string {
	return formatOf('month', 'UTC').format(instant);
}
