import { describe, expect, it } from '@jest/globals';
import { accountIn } from './unprivileged.ts';

const NOBODY_OF_MACOS = 'nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false';

describe('the account that runs PostgreSQL for root', () => {
  it.each([
    ['Debian', 'nobody:x:65534:65534:nobody:/:/usr/sbin/nologin', { uid: 65534, gid: 65534 }],
    [
      'Debian with PostgreSQL',
      'nobody:x:65534:65534::/:/bin/sh\npostgres:x:101:104::/:/bin/sh',
      { uid: 101, gid: 104 },
    ],
    [
      'macOS',
      `# a comment\n${NOBODY_OF_MACOS}\n_postgres:*:216:216:PostgreSQL Server:/:/bin/sh`,
      { uid: 216, gid: 216 },
    ],
  ])('is found on %s', (_, accounts, account) => {
    expect(accountIn(`${ROOT}\n${accounts}\n`)).toEqual(account);
  });

  it('is not one that no program can take', () => {
    expect(accountIn(`${ROOT}\n${NOBODY_OF_MACOS}\n`)).toBeUndefined();
  });
});

const ROOT = 'root:*:0:0:System Administrator:/var/root:/bin/sh';
