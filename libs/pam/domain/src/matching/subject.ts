import {
  baseNameOf,
  foldCase,
  foldPath,
  foldPathWidely,
  foldsAlike,
  foldsAlikeWithin,
  foldWidely,
  foldWithin,
  presentOrNull,
} from '@gatehouse/windows-paths';
import { Effort } from './effort.ts';
import { Grams } from './grams.ts';
import type { Observation } from './observation.ts';

/** An observation prepared once for matching: texts folded, blanks turned into null. */
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
  /** Counts the steps of matching this subject. */
  readonly effort: Effort;
  /** The grams of the path, for fast look-up of many texts. */
  readonly pathGrams: Grams;
  readonly commandGrams: Grams;
}

const folded = (text: string | null): string | null => {
  const present = presentOrNull(text);
  return present && foldCase(present);
};

const foldedPath = (text: string | null): string | null => {
  const present = presentOrNull(text);
  return present && foldPath(present);
};

/** Steps per character for folding, trimming and looking for invisible characters. */
const STEPS_PER_CHARACTER = 3;

const lengthOf = (text: string | null): number => text?.length ?? 0;

function lengthsOf({
  path,
  parentImage,
  commandLine,
  username,
  signer,
  publisher,
  hash,
  toolName,
  adGroups,
}: Observation): number {
  const long = lengthOf(path) + lengthOf(parentImage) + lengthOf(commandLine);
  const short = lengthOf(username) + lengthOf(signer) + lengthOf(publisher) + lengthOf(hash) + lengthOf(toolName);
  return adGroups.reduce((sum, group) => sum + 1 + group.length, long + short);
}

/** @throws EffortExceeded */
export function subjectOf(observation: Observation, effort = new Effort()): Subject {
  effort.spend(lengthsOf(observation) * STEPS_PER_CHARACTER);
  const path = foldedPath(observation.path);
  const parentImage = foldedPath(observation.parentImage);
  const commandLine = folded(observation.commandLine);
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
    commandLine,
    adGroups: adGroups.length > 0 ? new Set(adGroups) : null,
    toolName: folded(observation.toolName),
    riskTier: observation.riskTier,
    effort,
    pathGrams: new Grams(path ?? ''),
    commandGrams: new Grams(commandLine ?? ''),
  };
}

const isSameWidely = ({
  path,
  parentImage,
  commandLine,
  username,
  signer,
  publisher,
  toolName,
  adGroups,
}: Subject): boolean =>
  foldsAlikeWithin(commandLine) &&
  [path, parentImage, username, signer, publisher, toolName].every(foldsAlike) &&
  (adGroups === null || [...adGroups].every(foldsAlike));

/**
 * Folds a subject widely for denials (see foldWidely); returns the same object when that changes nothing.
 * @throws EffortExceeded
 */
export function widelyFolded(subject: Subject): Subject {
  if (isSameWidely(subject)) return subject;
  const { effort } = subject;
  const text = (value: string | null): string | null => value && foldWidely(value, effort);
  const inPath = (value: string | null): string | null => value && foldPathWidely(value, effort);
  const path = inPath(subject.path);
  const parentImage = inPath(subject.parentImage);
  const commandLine = subject.commandLine && foldWithin(subject.commandLine, effort);
  return {
    ...subject,
    username: text(subject.username),
    path,
    name: path && baseNameOf(path),
    signer: text(subject.signer),
    publisher: text(subject.publisher),
    parentImage,
    parentName: parentImage && baseNameOf(parentImage),
    commandLine,
    adGroups: subject.adGroups && new Set([...subject.adGroups].map((group) => foldWidely(group, effort))),
    toolName: text(subject.toolName),
    pathGrams: new Grams(path ?? ''),
    commandGrams: new Grams(commandLine ?? ''),
  };
}

/** The forms of an observation that denials compare: as reported and normalised, each under both foldings. */
export interface Forms {
  readonly exact: readonly Subject[];
  /** The same list as `exact` when both foldings agree. */
  readonly wide: readonly Subject[];
}

/** @throws EffortExceeded */
export function formsOf(exact: readonly Subject[]): Forms {
  const wide = exact.map(widelyFolded);
  return { exact, wide: wide.every((subject, at) => subject === exact[at]) ? exact : wide };
}
