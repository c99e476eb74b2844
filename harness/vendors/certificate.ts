import { generateKeyPairSync, sign } from 'node:crypto';

const [INTEGER, BITS, BYTES, OBJECT, TEXT, TIME] = [0x02, 0x03, 0x04, 0x06, 0x0c, 0x17];
const [SEQUENCE, SET, DNS_NAME, VERSION, EXTENSIONS] = [0x30, 0x31, 0x82, 0xa0, 0xa3];

/** A value as certificates are written (DER): its tag, its length, its content. */
function der(tag: number, ...content: Buffer[]): Buffer {
	const value = Buffer.concat(content);
	const { length } = value;
	const short = length < 0x80;
	const lengthBytes = short
		? [length]
		: length < 0x100
			? [0x81, length]
			: [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...lengthBytes]), value]);
}

const sequence = (...parts: Buffer[]) => der(SEQUENCE, ...parts);
const object = (hex: string) => der(OBJECT, Buffer.from(hex, 'hex'));
const bits = (value: Buffer) => der(BITS, Buffer.from([0]), value);

const ECDSA_WITH_SHA256 = sequence(object('2a8648ce3d040302'));
const COMMON_NAME = object('550403');
const ALTERNATIVE_NAMES = object('551d11');

/** A moment as YYMMDDHHMMSSZ. */
function time(at: number): Buffer {
	const digits = new Date(at).toISOString().replace(/\D/g, '').slice(2, 14);
	return der(TIME, Buffer.from(`${digits}Z`));
}

/**
 * Makes a certificate for these hosts, valid for a year and signed with its own key. It is made anew wherever one is
 * needed, so that no private key lies in the repository; Node can sign, but writes no certificates.
 */
export function certificateFor(hosts: readonly string[]): { cert: string; key: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = sequence(
		der(SET, sequence(COMMON_NAME, der(TEXT, Buffer.from('Local stand-ins of other vendors')))),
	);
	const names = sequence(...hosts.map((host) => der(DNS_NAME, Buffer.from(host))));
	const day = 86_400_000;
	const content = sequence(
		der(VERSION, der(INTEGER, Buffer.from([2]))),
		der(INTEGER, Buffer.from([1])),
		ECDSA_WITH_SHA256,
		name,
		sequence(time(Date.now() - day), time(Date.now() + 365 * day)),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(EXTENSIONS, sequence(sequence(ALTERNATIVE_NAMES, der(BYTES, names)))),
	);
	const signed = sequence(content, ECDSA_WITH_SHA256, bits(sign('sha256', content, privateKey)));
	const lines = signed.toString('base64').replace(/.{1,64}/g, '$&\n');
	return {
		cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
	};
}
