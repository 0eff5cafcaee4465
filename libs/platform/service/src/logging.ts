import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Injection token of the service's logger. */
export const LOGGER = Symbol('logger');

const SECRETS = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'x-gatehouse-identity', 'password', 'newPassword', 'currentPassword', 'clientSecret', 'code', 'codeVerifier', 'accessToken', 'refreshToken', 'idToken', 'mfaToken', 'token', 'agentToken', 'enrollmentKey', 'secret', 'SAMLResponse'];
const pathsOf = (name: string): string[] => (name.includes('-') ? [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`] : [name, `*.${name}`, `*.*.${name}`]);

/** JSON lines with the service's name; what is known to be secret never gets into them. */
export const createLogger = (name: string, level: string, destination: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      base: { service: name },
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap(pathsOf), censor: '[redacted]' },
    },
    destination,
  );

/** Nest's own messages on the same logger; its chatter about modules and routes is of use only when debugging. */
export const nestLogger = (log: Logger): LoggerService => ({
  log: (message: unknown) => log.debug(String(message)),
  error: (message: unknown, ...rest: unknown[]) => log.error({ detail: rest[0] }, String(message)),
  warn: (message: unknown) => log.warn(String(message)),
});
