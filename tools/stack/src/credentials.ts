import {
  createHash,
  createHmac,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  randomInt,
  randomUUID,
} from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@gatehouse/contracts-core/services';
import { writeWhole } from './paths.ts';

/** Every secret of one stack, made once. */
export interface Credentials {
  readonly postgresPassword: string;
  readonly natsPassword: string;
  readonly redisPassword: string;
  /** For each database, and for each service without one: 32 bytes, base64. */
  readonly sealingKeys: Readonly<Record<string, string>>;
  /** The one key that all services shared in a directory of an earlier version. It still opens what it sealed. */
  readonly secretEncryptionKey?: string;
  /** ES256, signs what the gateway tells the services about a caller. */
  readonly internalIdentityKey: JsonWebKey & { readonly kid: string };
  /**
   * ES256, signs the operator's commands. A directory of an earlier version has none: the gateway's key signs there.
   */
  readonly operatorKey?: Credentials['internalIdentityKey'];
  readonly adminPassword: string;
  /** Base32, as authenticator apps take it. */
  readonly adminTotpSecret: string;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const TOTP_SECRET_LENGTH = 32;
const SEALERS = [...new Set(SERVICES.map(({ name, database = name }) => database))];

const password = (): string => randomBytes(24).toString('base64url');

function signingKey(): Credentials['internalIdentityKey'] {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y, d } = privateKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { kty, crv, x, y, d, kid, alg: 'ES256', use: 'sig' };
}

/** The public half of a signing key. */
export function publicHalf({ d: _secret, ...rest }: Credentials['internalIdentityKey']): JsonWebKey {
  return rest;
}

const sealingKeys = (): Credentials['sealingKeys'] =>
  Object.fromEntries(SEALERS.map((name) => [name, randomBytes(32).toString('base64')]));

const generate = (): Credentials => ({
  postgresPassword: password(),
  natsPassword: password(),
  redisPassword: password(),
  sealingKeys: sealingKeys(),
  internalIdentityKey: signingKey(),
  operatorKey: signingKey(),
  adminPassword: password(),
  adminTotpSecret: Array.from({ length: TOTP_SECRET_LENGTH }, () => BASE32[randomInt(BASE32.length)]).join(''),
});

/**
 * A directory of an earlier version has no sealing keys of the services. They are derived from a secret that no service
 * knows, so that programs which start at the same time derive the same keys.
 */
function completed(known: Credentials): Credentials {
  const derived = SEALERS.map((name) => [
    name,
    createHmac('sha256', known.postgresPassword).update(`gatehouse sealing key ${name}`).digest('base64'),
  ]);
  return { ...known, sealingKeys: { ...Object.fromEntries(derived), ...known.sealingKeys } };
}

const read = (file: string): Credentials => completed(JSON.parse(readFileSync(file, 'utf8')) as Credentials);

/** Reads `<directory>/credentials.json` (mode 0600), making it first when it is not there. */
export function credentialsOf(directory: string): Credentials {
  const file = join(directory, 'credentials.json');
  if (existsSync(file)) return read(file);
  const draft = `${file}.${randomUUID()}`;
  writeWhole(draft, `${JSON.stringify(generate(), null, 2)}\n`);
  // A run that started at the same time may have written the file first; then that file is used.
  if (existsSync(file)) rmSync(draft);
  else renameSync(draft, file);
  return read(file);
}
