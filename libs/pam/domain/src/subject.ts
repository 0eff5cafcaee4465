import { Effort } from './effort.ts';
import type { Observation } from './observation.ts';
import { baseNameOf, foldCase, foldPath, presentOrNull } from './text.ts';

/** An observation made ready for matching, once: folded, with blanks turned into null. */
export interface Subject {
  readonly siteId: string;
  readonly at: Date;
  readonly username: string | null;
  readonly path: string | null;
  readonly name: string | null;
  readonly hash: string | null;
  readonly signer: string | null;
  readonly publisher: string | null;
  readonly parentImage: string | null;
  readonly parentName: string | null;
  readonly commandLine: string | null;
  readonly adGroups: ReadonlySet<string> | null;
  readonly toolName: string | null;
  readonly riskTier: number | null;
  /** What matching it has cost. */
  readonly effort: Effort;
}

const folded = (text: string | null): string | null => {
  const present = presentOrNull(text);
  return present && foldCase(present);
};

const foldedPath = (text: string | null): string | null => {
  const present = presentOrNull(text);
  return present && foldPath(present);
};

export function subjectOf(observation: Observation, effort = new Effort()): Subject {
  const path = foldedPath(observation.path);
  const parentImage = foldedPath(observation.parentImage);
  const adGroups = observation.adGroups.flatMap((group) => folded(group) ?? []);
  return {
    siteId: observation.place.siteId,
    at: observation.at,
    username: folded(observation.username),
    path,
    name: path && baseNameOf(path),
    hash: folded(observation.hash),
    signer: folded(observation.signer),
    publisher: folded(observation.publisher),
    parentImage,
    parentName: parentImage && baseNameOf(parentImage),
    commandLine: folded(observation.commandLine),
    adGroups: adGroups.length > 0 ? new Set(adGroups) : null,
    toolName: folded(observation.toolName),
    riskTier: observation.riskTier,
    effort,
  };
}
