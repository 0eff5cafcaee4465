import { addressSettingOf } from '@gatehouse/contracts-core';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Settings {
  readonly privateKey: string;
  urlOf(service: string): string;
}

interface Stored {
  readonly internalIdentityKey?: object;
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

/**
 * INTERNAL_IDENTITY_PRIVATE_KEY and `<SERVICE>_URL` from the environment, else what `npm start` left behind.
 * @throws one line that names what is missing
 */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  const { internalIdentityKey } = stackFileOf<Stored>(env, 'credentials.json');
  const { services = {} } = stackFileOf<Endpoints>(env, 'endpoints.json');
  const privateKey =
    env['INTERNAL_IDENTITY_PRIVATE_KEY'] ?? (internalIdentityKey && JSON.stringify(internalIdentityKey));
  if (!privateKey) throw new Error('INTERNAL_IDENTITY_PRIVATE_KEY is missing, and no product was started here');
  return {
    privateKey,
    urlOf: (service) => {
      const setting = addressSettingOf(service);
      const url = env[setting] ?? services[service]?.url;
      if (!url) throw new Error(`${setting} is missing, and no product was started here`);
      return url;
    },
  };
}
