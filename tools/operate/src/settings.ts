import { addressSettingOf } from '@gatehouse/contracts-core';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Settings {
  readonly privateKey: string;
  /** The key is an operator's own, and not the gateway's. */
  readonly isOwnKey: boolean;
  /** The person for the audit log, unless --as names one. */
  readonly person: string | undefined;
  urlOf(service: string): string;
}

interface Stored {
  readonly internalIdentityKey?: object;
  readonly operatorKey?: object;
}

interface Endpoints {
  readonly services?: Readonly<Record<string, { readonly url: string } | undefined>>;
}

const CHECKOUT = resolve(fileURLToPath(import.meta.url), '../../../..');
const readJson = <T extends object>(path: string): Partial<T> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : {};

/** What a file says that `npm start` left behind; nothing without one. */
export const stackFileOf = <T extends object>(env: NodeJS.ProcessEnv, file: string): Partial<T> =>
  readJson<T>(join(env['GATEHOUSE_STACK_DIRECTORY'] || join(CHECKOUT, '.stack'), file));

/** OPERATOR_PRIVATE_KEY, else the gateway's INTERNAL_IDENTITY_PRIVATE_KEY, else what `npm start` left behind. */
function keyFrom(env: NodeJS.ProcessEnv): Omit<Settings, 'urlOf'> {
  if (env['OPERATOR_PRIVATE_KEY'])
    return { privateKey: env['OPERATOR_PRIVATE_KEY'], isOwnKey: true, person: undefined };
  if (env['INTERNAL_IDENTITY_PRIVATE_KEY'])
    return { privateKey: env['INTERNAL_IDENTITY_PRIVATE_KEY'], isOwnKey: false, person: undefined };
  const { internalIdentityKey, operatorKey } = stackFileOf<Stored>(env, 'credentials.json');
  const stored = operatorKey ?? internalIdentityKey;
  if (!stored) throw new Error('OPERATOR_PRIVATE_KEY is missing, and no product was started here');
  return { privateKey: JSON.stringify(stored), isOwnKey: operatorKey !== undefined, person: userInfo().username };
}

/**
 * The key, and `<SERVICE>_URL` from the environment, else what `npm start` left behind.
 * @throws one line that names what is missing
 */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const { services = {} } = stackFileOf<Endpoints>(env, 'endpoints.json');
  return {
    ...keyFrom(env),
    urlOf: (service) => {
      const setting = addressSettingOf(service);
      const url = env[setting] ?? services[service]?.url;
      if (!url) throw new Error(`${setting} is missing, and no product was started here`);
      return url;
    },
  };
}
