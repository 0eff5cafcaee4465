import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that only its owner may read. A concurrent reader finds the whole new content or the old one. The draft
 * is made exclusively: a link that another account has put in its place is not followed.
 */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
