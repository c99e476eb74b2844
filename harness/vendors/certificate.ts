import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import * as der from './asn1';

export interface Certificate {
	cert: string;
	key: string;
}

interface Signer {
	name: string;
	privateKey: KeyObject;
}

/**
 * A certificate authority that lives for one test run. Its certificate goes to n8n in NODE_EXTRA_CA_CERTS; nothing
 * else on the machine ever trusts it, and its key never leaves this process.
 */
export class CertificateAuthority {
	readonly cert: string;
	private readonly signer: Signer;

	constructor(name = 'Local stand-ins of other vendors') {
		const { privateKey, publicKey } = newKeys();
		this.signer = { name, privateKey };
		this.cert = certify(name, publicKey, this.signer, [
			extension(ids.basicConstraints, der.sequence(der.boolean(true)), true),
			// keyCertSign and cRLSign
			extension(ids.keyUsage, der.bits(Buffer.from([0x06]), 1), true),
		]);
	}

	issue(host: string): Certificate {
		const { privateKey, publicKey } = newKeys();
		const names = der.sequence(der.implicit(2, Buffer.from(host)));
		const cert = certify(host, publicKey, this.signer, [
			extension(ids.basicConstraints, der.sequence(), true),
			// digitalSignature
			extension(ids.keyUsage, der.bits(Buffer.from([0x80]), 7), true),
			extension(ids.extendedKeyUsage, der.sequence(der.objectId(ids.serverAuth))),
			extension(ids.subjectAltName, names),
		]);
		return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
	}
}

const ids = {
	commonName: '2.5.4.3',
	keyUsage: '2.5.29.15',
	subjectAltName: '2.5.29.17',
	basicConstraints: '2.5.29.19',
	extendedKeyUsage: '2.5.29.37',
	serverAuth: '1.3.6.1.5.5.7.3.1',
	ecdsaWithSha256: '1.2.840.10045.4.3.2',
};

const dayMs = 24 * 60 * 60 * 1000;

function newKeys(): { privateKey: KeyObject; publicKey: KeyObject } {
	return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function certify(subject: string, key: KeyObject, signer: Signer, extensions: Buffer[]): string {
	const algorithm = der.sequence(der.objectId(ids.ecdsaWithSha256));
	const now = Date.now();
	const body = der.sequence(
		der.explicit(0, der.integer(Buffer.from([2]))),
		der.integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
		algorithm,
		distinguishedName(signer.name),
		der.sequence(der.time(new Date(now - dayMs)), der.time(new Date(now + 30 * dayMs))),
		distinguishedName(subject),
		key.export({ type: 'spki', format: 'der' }),
		der.explicit(3, der.sequence(...extensions)),
	);
	const signature = sign('sha256', body, signer.privateKey);
	const base64 = der.sequence(body, algorithm, der.bits(signature)).toString('base64');
	const lines = base64.match(/.{1,64}/g) ?? [];
	return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function distinguishedName(commonName: string): Buffer {
	return der.sequence(der.set(der.sequence(der.objectId(ids.commonName), der.text(commonName))));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
	const parts = [der.objectId(id), ...(critical ? [der.boolean(true)] : []), der.octets(value)];
	return der.sequence(...parts);
}
