import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { settled } from './journey.ts';

/** The token of the newest invitation to that address. @throws when no mail with one arrives */
export async function invitationToken(directory: string, email: string): Promise<string> {
  const token = await settled(
    () => findToken(directory, email),
    (found) => found !== undefined,
  );
  if (!token) throw new Error(`no invitation for ${email} in ${directory}`);
  return token;
}

async function findToken(directory: string, email: string): Promise<string | undefined> {
  const names = await readdir(directory).catch(() => []);
  const mails = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .map(async (name) => {
        const path = join(directory, name);
        return { text: await readFile(path, 'utf8'), writtenAt: (await stat(path)).mtimeMs };
      }),
  );
  const newestFirst = mails.sort((one, other) => other.writtenAt - one.writtenAt);
  const mine = newestFirst.find(({ text }) => text.includes(email) && tokenIn(text) !== undefined);
  return mine && tokenIn(mine.text);
}

/** Mails of earlier releases are quoted-printable: lines broken with `=`, and `=3D` for the equals sign. */
function tokenIn(mail: string): string | undefined {
  const isEncoded = /^content-transfer-encoding: quoted-printable/im.test(mail);
  const plain = isEncoded ? mail.replace(/=\r?\n/g, '').replace(/=3D/gi, '=') : mail;
  return /accept-invite\?token=([\w.~-]+)/.exec(plain)?.[1];
}
