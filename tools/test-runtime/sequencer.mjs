import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

const seconds = JSON.parse(readFileSync(join(import.meta.dirname, 'times.json'), 'utf8'));

/** A long suite that starts last keeps one worker busy while the others have nothing left: the longest start first. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const of = ({ path, context }) => seconds[relative(context.config.rootDir, path)] ?? 0;
    return [...super.sort(tests)].sort((one, other) => of(other) - of(one));
  }
}
