import { chownSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerAccount } from '../unprivileged.ts';
import { writeWhole } from '../write-whole.ts';
import type { ServerCertificate } from './running-part.ts';

/** Writes the certificate and its key for the server, which alone may read the key. @returns their files */
export function certificateFiles(
  home: string,
  { certificate, key }: ServerCertificate,
  account?: ServerAccount,
): { certificate: string; key: string } {
  const files = { certificate: join(home, 'server.crt'), key: join(home, 'server.key') };
  writeWhole(files.certificate, certificate);
  writeWhole(files.key, key);
  if (account !== undefined) for (const file of Object.values(files)) chownSync(file, account.uid, account.gid);
  return files;
}
