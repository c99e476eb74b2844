import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string) => readFileSync(join(__dirname, name), 'utf8');

/**
 * The certificate of the stand-ins, for localhost and the hosts that they answer for. It is signed with its own key, and
 * can sign no other. Only an n8n that the tests start trusts it, so that its key is no secret. It was made with:
 * openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -sha256 -days 18250 -subj "/CN=Local stand-ins"
 * -addext "basicConstraints=critical,CA:FALSE" -addext "subjectAltName=DNS:localhost,DNS:slack.com,…"
 * -keyout stand-ins.key.pem -out stand-ins.cert.pem
 */
export const CERTIFICATE_FILE = join(__dirname, 'stand-ins.cert.pem');
export const certificate = { cert: read('stand-ins.cert.pem'), key: read('stand-ins.key.pem') };
