import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STACK_DIRECTORY } from '../paths.ts';

/** What the demo needs to fill an empty, running product over its public routes. */
export interface DemoContext {
  /** The gateway, without a slash at its end. */
  readonly gatewayUrl: string;
  /** The address that people use; cookies of a sign-in belong to it. */
  readonly publicUrl: string;
  readonly administrator: { readonly email: string; readonly password: string; readonly totpSecret?: string };
  /** The bundled identity provider, when it runs. */
  readonly identityProviderUrl?: string;
  /** Where mails are kept as `.eml` files, unless they are sent. */
  readonly mailDirectory?: string;
  /** Publishes a TXT record where the product looks it up; absent when it asks name servers of its user. */
  publish?(name: string, value: string): void;
  log(line: string): void;
}

export interface DemoSignIn {
  readonly who: string;
  readonly email: string;
  /** Absent for a person who signs in through the identity provider. */
  readonly password?: string;
  /** Base32 key of the authenticator. */
  readonly totpSecret?: string;
  /** The address at which the sign-in begins. */
  readonly url?: string;
  readonly note?: string;
}

/** The objects that the demo created, shown at this and each later start. */
export interface DemoReport {
  readonly signIns: readonly DemoSignIn[];
  readonly tryNext: readonly string[];
  /** TXT records by name. */
  readonly records?: Readonly<Record<string, string>>;
}

export const REPORT = join(STACK_DIRECTORY, 'demo.json');

/** What the demo made at an earlier start. */
export const knownReport = (): DemoReport | undefined =>
  existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, 'utf8')) as DemoReport) : undefined;
