/** An approach that a creator can film from. */
interface Angle {
	name: string;
	hook: string;
	why: string;
	outline: string[];
}

/** docs/api.md section 2.2: mission, audience, talking points, angles, shots. The exact keys are not shown. */
export interface BriefDocument {
	mission: string;
	audience: string;
	talking_points: string[];
	angles: Angle[];
	shots: { shot: string; seconds: number; purpose: string }[];
	do: string[];
	dont: string[];
}
