import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file that only its owner may read. A concurrent reader finds the whole new content or the old one. */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
