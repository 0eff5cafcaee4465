import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export interface Administrator {
  readonly email: string;
  readonly password: string;
  readonly totpSecret?: string;
}

export interface Settings {
  readonly baseUrl: string;
  readonly administrator: Administrator;
  /** The bundled identity provider, as the product reaches it. */
  readonly identityProviderUrl: string;
  readonly identityProviderSecret: string;
  /** Where the product writes its mails. */
  readonly mailDirectory: string;
  /** Remembers the agents of the live demo between its runs. */
  readonly liveAgentsFile: string;
}

/** What to do: walk the journey, report until the end, or print the codes of the authenticators. */
export type Task = 'journey' | 'live' | 'codes';

export const USAGE =
  'usage: npm run demo [-- [--live|--codes] [--url <product>] [--idp <identity provider>] [--mail-dir <folder>]]';

/** The arguments cannot be understood. */
export class UsageError extends Error {}

function optionsIn(args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string', default: env['BASE_URL'] },
        idp: { type: 'string', default: env['DEV_IDP_URL'] },
        'mail-dir': { type: 'string', default: env['MAIL_DIR'] },
        live: { type: 'boolean', default: false },
        codes: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, { cause: error });
  }
}

interface Stored {
  adminPassword?: string;
  adminTotpSecret?: string;
}
interface Endpoints {
  identityProvider?: string;
  services?: Record<string, { url: string } | undefined>;
}

const CHECKOUT = resolve(fileURLToPath(import.meta.url), '../../../..');

const readJson = <T extends object>(path: string): Partial<T> =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : {};

/**
 * Flags first, then the environment, then what `npm start` left in `.stack/`. @throws one line that names what is
 * missing, or the usage
 */
export function readSettings(args: readonly string[], env: NodeJS.ProcessEnv): Settings & { readonly task: Task } {
  const values = optionsIn(args, env);
  const stack = env['GATEHOUSE_STACK_DIRECTORY'] || join(CHECKOUT, '.stack');
  const endpoints = readJson<Endpoints>(join(stack, 'endpoints.json'));
  const task = taskOf(values);
  return {
    task,
    baseUrl: (values.url ?? endpoints.services?.['gateway']?.url ?? 'http://localhost:3000').replace(/\/$/, ''),
    administrator: administratorOf(readJson<Stored>(join(stack, 'credentials.json')), env),
    identityProviderUrl: values.idp ?? (task === 'journey' ? bundledProvider(endpoints) : ''),
    identityProviderSecret: env['DEV_IDP_CLIENT_SECRET'] ?? 'gatehouse-dev-secret',
    mailDirectory: values['mail-dir'] ?? join(stack, 'mail'),
    liveAgentsFile: join(stack, 'live-agents.json'),
  };
}

function taskOf({ live, codes }: { readonly live: boolean; readonly codes: boolean }): Task {
  if (codes) return 'codes';
  return live ? 'live' : 'journey';
}

function bundledProvider({ identityProvider }: Partial<Endpoints>): string {
  if (!identityProvider)
    throw new Error('no identity provider: start the product with npm start, or give --idp or DEV_IDP_URL');
  return `http://${identityProvider}`;
}

function administratorOf(stored: Stored, env: NodeJS.ProcessEnv): Administrator {
  const given = env['BOOTSTRAP_ADMIN_PASSWORD'];
  const password = given ?? stored.adminPassword;
  if (!password)
    throw new Error(
      'no administrator: start the product with npm start, or give BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD',
    );
  return {
    email: env['BOOTSTRAP_ADMIN_EMAIL'] ?? 'admin@gatehouse.example',
    password,
    totpSecret: env['BOOTSTRAP_ADMIN_TOTP_SECRET'] ?? (given ? undefined : stored.adminTotpSecret),
  };
}
