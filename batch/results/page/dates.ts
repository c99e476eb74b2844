const FIELDS = {
	date: { day: 'numeric', month: 'short', year: 'numeric' },
	time: { hour: '2-digit', minute: '2-digit' },
	timeToTheSecond: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
	zoneName: { timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** UTC if the variable TZ is empty or names no zone: Node.js then gives a name that it refuses itself, or none. */
function zoneOfMachine(): string {
	const { timeZone } = new Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
	try {
		new Intl.DateTimeFormat('en-GB', { timeZone }).format();
		return timeZone ?? 'UTC';
	} catch {
		return 'UTC';
	}
}

/** Dates and times for people in one time zone, which the page names: it cannot know that of its reader. */
export class DateFormatter {
	private readonly formats = new Map<keyof typeof FIELDS, Intl.DateTimeFormat>();

	/** @param timeZone as in the IANA list; by default the machine's own */
	constructor(private readonly timeZone = zoneOfMachine()) {}

	/** "20 Nov 2026, 14:03" */
	dateTime(instant: number): string {
		return `${this.date(instant)}, ${this.time(instant)}`;
	}

	/** "20 Nov 2026" */
	date(instant: number): string {
		return this.formatOf('date').format(instant);
	}

	/** "14:03" */
	time(instant: number): string {
		return this.formatOf('time').format(instant);
	}

	/** "14:03:22" */
	timeToTheSecond(instant: number): string {
		return this.formatOf('timeToTheSecond').format(instant);
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
		const parts = this.formatOf('zoneName').formatToParts(instant);
		return parts.find(({ type }) => type === 'timeZoneName')?.value ?? this.timeZone;
	}

	/** To make one takes longer than to use it a hundred times. */
	private formatOf(fields: keyof typeof FIELDS): Intl.DateTimeFormat {
		const { timeZone } = this;
		const known = this.formats.get(fields);
		const format = known ?? new Intl.DateTimeFormat('en-GB', { ...FIELDS[fields], timeZone });
		this.formats.set(fields, format);
		return format;
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
