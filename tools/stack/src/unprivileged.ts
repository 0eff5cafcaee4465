import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StackError } from './stack-error.ts';

/** The account that runs PostgreSQL, which refuses to run as root. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** macOS names its accounts for servers with an underscore. */
const PREFERRED = ['postgres', '_postgres', 'nobody'];

/** The account in the text of /etc/passwd that may run PostgreSQL. */
export function accountIn(passwd: string): ServerAccount | undefined {
  const accounts = passwd.split('\n').map((line) => line.split(':'));
  return (
    PREFERRED.map((name) => accounts.find(([login]) => login === name))
      .map((found) => ({ uid: Number(found?.[2]), gid: Number(found?.[3]) }))
      // The account "nobody" of macOS has the number -2, which no program can take.
      .find(({ uid, gid }) => uid > 0 && gid > 0)
  );
}

/** Undefined unless we are root: other accounts run PostgreSQL themselves. */
export function serverAccount(): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const account = accountIn(readFileSync('/etc/passwd', 'utf8'));
  if (account !== undefined) return account;
  throw new StackError(
    `PostgreSQL cannot run as root, and this system has no account that could run it (${PREFERRED.join(', ')}): ` +
      'start as an ordinary user',
  );
}

function maySearch(directory: string, account: ServerAccount): boolean {
  const { mode, uid, gid } = statSync(directory);
  if (uid === account.uid) return (mode & 0o100) !== 0;
  if (gid === account.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

/** Whether the account can reach what lies in this directory: each directory on the way down must let it pass. */
export function canReach(directory: string, account: ServerAccount | undefined): boolean {
  if (account === undefined) return true;
  const parent = dirname(directory);
  return maySearch(directory, account) && (parent === directory || canReach(parent, account));
}

/** The directory that the account uses instead of `directory` if it cannot reach that (a checkout under /root). */
export const reachableStandIn = (directory: string): string =>
  join('/var/lib/gatehouse-stack', createHash('sha256').update(directory).digest('hex').slice(0, 12));
