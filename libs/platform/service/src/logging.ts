import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Injection token of the service's logger. */
export const LOGGER = Symbol('logger');

/** Names that mean a secret wherever they stand. `code` is not one of them: it also tells why something was refused. */
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
 * Names that mean a secret only in the place beside them: what a request or an answer carries, and what went to the
 * database.
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
/** Addresses, which are logged without their query and fragment. */
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

/** JSON lines with the service's name; what is known to be secret never gets into them. */
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

/** Nest's own messages on the same logger; its chatter about modules and routes is of use only when debugging. */
export const nestLogger = (log: Logger): LoggerService => ({
  log: (message: unknown) => log.debug(String(message)),
  error: (message: unknown, ...rest: unknown[]) => log.error({ detail: rest[0] }, String(message)),
  warn: (message: unknown) => log.warn(String(message)),
});
