import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STACK_DIRECTORY } from '../paths.ts';
import type { DemoReport } from './demo.ts';

export const REPORT = join(STACK_DIRECTORY, 'demo.json');

/** What the demo made at an earlier start. */
export const knownReport = (): DemoReport | undefined =>
  existsSync(REPORT) ? (JSON.parse(readFileSync(REPORT, 'utf8')) as DemoReport) : undefined;
