/** Node.js's codes for what fails before a byte leaves this machine, in words to follow "because". */
const NEVER_SENT: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at this address',
	ENOTFOUND: 'there is no host of this name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: 'there is no way to this host',
	ENETUNREACH: 'there is no way to this network',
	ENETDOWN: 'the network is down',
	ERR_INVALID_URL: 'it is not an address',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/**
 * Why certainly nothing was sent, or undefined if something may have been. It decides whether a failed create may have
 * been done.
 */
export function neverSent(code: string): string | undefined {
	const known = NEVER_SENT[code];
	if (known !== undefined) return known;
	return /CERT|^ERR_TLS|^UNABLE_TO_(VERIFY|GET)/.test(code)
		? 'its certificate cannot be verified'
		: undefined;
}
