import { DATABASES, type DatabaseName, databaseSettings } from '@gatehouse/contracts-core';
import { stackFileOf } from '../settings.ts';

/** A database, reached as the owner of its tables and past any pooler. */
export interface DatabaseAddress {
  readonly name: DatabaseName;
  /** With the password, for the driver. */
  readonly url: string;
}

interface Endpoints {
  readonly databases?: Readonly<Record<string, { readonly owner?: string } | undefined>>;
}

/**
 * As the services verify: DATABASE_CA_FILE turns TLS on, and no server is believed without a certificate for its name.
 */
function verifying(address: string, authority: string | undefined): string {
  if (!authority) return address;
  const url = new URL(address);
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', authority);
  return url.href;
}

/**
 * DATABASE_OWNER_URL_<DATABASE> from the environment, else what `npm start` left behind.
 * @throws one line that names the setting that is missing
 */
export function databaseAddresses(env: NodeJS.ProcessEnv): readonly DatabaseAddress[] {
  const { databases = {} } = stackFileOf<Endpoints>(env, 'endpoints.json');
  return DATABASES.map((name) => {
    const setting = databaseSettings(name).owner;
    const url = env[setting] ?? databases[name]?.owner;
    if (!url) throw new Error(`${setting} is missing, and no product was started here`);
    return { name, url: verifying(url, env['DATABASE_CA_FILE']) };
  });
}
