import type { RawOptions } from '../../../batch/settings/options';
import { readSettings } from '../../../batch/settings/settings';

export const BASE = 'https://api.vendor.example/v1';
const KEY = { CREATOR_BRIEFING_API_KEY: 'cb_key' };
const RAW: RawOptions = {
	baseUrl: BASE,
	out: 'briefs',
	keep: '0',
	leaveSlots: '0',
	map: [],
	set: [],
	timeout: '30',
};

/** What the command makes of these options and of the defaults of the others. */
export const settings = (raw: Partial<RawOptions> = {}, env: NodeJS.ProcessEnv = KEY) =>
	readSettings({ ...RAW, ...raw }, env);
