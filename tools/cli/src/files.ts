import { readFileSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { UsageError } from './exit-codes.ts';

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws UsageError if the file cannot be read */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** @throws UsageError if the file is not JSON */
export function readJson<T>(path: string): T {
  const text = readText(path);
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${reasonOf(error)}`);
  }
}

/** @throws UsageError if the file cannot be written */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${reasonOf(error)}`);
  }
}

/** @throws UsageError if the file cannot be opened */
export const openFile = (path: string, flags: 'r' | 'w'): Promise<FileHandle> =>
  open(path, flags).catch((error: unknown) => {
    throw new UsageError(`cannot ${flags === 'r' ? 'read' : 'write'} ${path}: ${reasonOf(error)}`);
  });
