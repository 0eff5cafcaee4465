import { renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file that is its owner's alone, so that whoever reads it meanwhile finds all of it, or what was there
 * before.
 */
export function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}
