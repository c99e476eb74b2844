/**
 * Gives the machine's zone, or UTC if the variable TZ is empty or names no zone: Node.js then gives a name that it
 * refuses itself, or none.
 */
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
	/** Made once: to make one takes longer than to use it a hundred times. */
	private readonly formats: Record<
		'date' | 'time' | 'timeToTheSecond' | 'zoneName',
		Intl.DateTimeFormat
	>;

	/** @param timeZone as in the IANA list; by default the machine's own */
	constructor(private readonly timeZone = zoneOfMachine()) {
		const formatOf = (fields: Intl.DateTimeFormatOptions) =>
			new Intl.DateTimeFormat('en-GB', { ...fields, timeZone });
		this.formats = {
			date: formatOf({ day: 'numeric', month: 'short', year: 'numeric' }),
			time: formatOf({ hour: '2-digit', minute: '2-digit' }),
			timeToTheSecond: formatOf({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
			zoneName: formatOf({ timeZoneName: 'short' }),
		};
	}

	/** Gives "20 Nov 2026, 14:03 CET" */
	dateTime(instant: number): string {
		return `${this.date(instant)}, ${this.time(instant)} ${this.zoneName(instant)}`;
	}

	/** Gives "20 Nov 2026" */
	date(instant: number): string {
		return this.formats.date.format(instant);
	}

	/** Gives "14:03" */
	time(instant: number): string {
		return this.formats.time.format(instant);
	}

	/** Gives "14:03:22" */
	timeToTheSecond(instant: number): string {
		return this.formats.timeToTheSecond.format(instant);
	}

	/** Gives "20 Nov 2026, 14:03–15:10 CET", or both dates if they differ. */
	span(from: number, to: number): string {
		if (this.date(from) !== this.date(to)) return `${this.dateTime(from)} – ${this.dateTime(to)}`;
		return this.time(from) === this.time(to)
			? this.dateTime(from)
			: `${this.date(from)}, ${this.time(from)}–${this.time(to)} ${this.zoneName(to)}`;
	}

	/** Gives "CET", "UTC", "GMT+2" */
	zoneName(instant: number): string {
		const parts = this.formats.zoneName.formatToParts(instant);
		return parts.find(({ type }) => type === 'timeZoneName')?.value ?? this.timeZone;
	}
}

/** Gives "42 s", "4 min 10 s", "1 h 07 min", "2 days 3 h" */
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
