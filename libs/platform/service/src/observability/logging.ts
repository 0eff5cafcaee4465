import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export const LOGGER = Symbol('logger');

/** Names that denote a secret at any place. `code` is not among them, because it is also the code of a problem. */
const SECRETS = [
  'password',
  'newPassword',
  'currentPassword',
  'secret',
  'clientSecret',
  'client_secret',
  'codeVerifier',
  'code_verifier',
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'idToken',
  'id_token',
  'mfaToken',
  'agentToken',
  'enrollmentKey',
  'recoveryCodes',
  'otpauthUrl',
  'ssoCode',
  'SAMLResponse',
];
const HEADERS = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'x-gatehouse-identity', 'proxy-authorization'];
/**
 * Names that denote a secret only at the given place: in the headers and bodies of requests and answers, and in
 * database parameters.
 */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  headers: HEADERS,
  body: ['code', 'key', 'RelayState'],
  form: ['code', 'key', 'RelayState'],
  query: ['code', 'state', 'nonce', 'handle', 'RelayState'],
  data: ['key'],
  err: ['parameters'],
  driverError: ['parameters'],
};
/** Fields with addresses, which are logged without query and fragment. */
const ADDRESSES = ['url', 'location', 'referer'];
const DEPTHS = ['', '*', '*.*'];

const within = (above: string, name: string): string => {
  if (!/^\w+$/.test(name)) return `${above}["${name}"]`;
  return above === '' ? name : `${above}.${name}`;
};
const anywhere = (name: string): string[] => DEPTHS.map((above) => within(above, name));
const inPlaces = Object.entries(PLACES).flatMap(([place, names]) =>
  anywhere(place).flatMap((at) => names.map((name) => within(at, name))),
);

const withoutQuery = (address: unknown): unknown =>
  typeof address === 'string' ? address.replace(/[?#].*$/s, '') : address;
const censor = (value: unknown, path: string[]): unknown =>
  ADDRESSES.includes(path.at(-1) ?? '') ? withoutQuery(value) : '[redacted]';

/** Writes JSON lines with the service's name; known secrets are redacted. */
export const createLogger = (
  name: string,
  level: string,
  destination: DestinationStream = pino.destination(1),
): Logger =>
  pino(
    {
      level,
      base: { service: name },
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: [...[...SECRETS, ...HEADERS, ...ADDRESSES].flatMap(anywhere), ...inPlaces], censor },
    },
    destination,
  );

/** Sends Nest's own messages to the same logger; its messages about modules and routes are logged at debug level. */
export const nestLogger = (log: Logger): LoggerService => ({
  log: (message: unknown) => log.debug(String(message)),
  error: (message: unknown, ...rest: unknown[]) => log.error({ detail: rest[0] }, String(message)),
  warn: (message: unknown) => log.warn(String(message)),
});
