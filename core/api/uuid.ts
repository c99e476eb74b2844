export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const WHOLE_UUID = new RegExp(`^${UUID}$`);

export function isUuid(text: string): boolean {
	return WHOLE_UUID.test(text);
}
