import { Effort } from './effort.ts';
import { Grams } from './grams.ts';
import type { Observation } from './observation.ts';
import { baseNameOf, foldCase, foldPath, foldPathWidely, foldWidely, isAscii, presentOrNull } from './text.ts';

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
  /** For the many parts that may be looked for in them. */
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

/** Folding, trimming and looking for what is hidden, of each character. */
const STEPS_PER_CHARACTER = 3;

const textsOf = ({ path, parentImage, commandLine, username, signer, publisher, hash, toolName, adGroups }: Observation): (string | null)[] =>
  [path, parentImage, commandLine, username, signer, publisher, hash, toolName, ...adGroups];

const lengthOf = (texts: readonly (string | null)[]): number => texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);

type Values = Omit<Subject, 'siteId' | 'at' | 'name' | 'parentName' | 'riskTier' | 'effort' | 'pathGrams' | 'commandGrams'>;

const subjectWith = (values: Values, { siteId, at, riskTier, effort }: Pick<Subject, 'siteId' | 'at' | 'riskTier' | 'effort'>): Subject => ({
  ...values,
  siteId, at, riskTier, effort,
  name: values.path && baseNameOf(values.path),
  parentName: values.parentImage && baseNameOf(values.parentImage),
  pathGrams: new Grams(values.path ?? ''),
  commandGrams: new Grams(values.commandLine ?? ''),
});

/** @throws EffortExceeded */
export function subjectOf(observation: Observation, effort = new Effort()): Subject {
  effort.spend((lengthOf(textsOf(observation)) + observation.adGroups.length) * STEPS_PER_CHARACTER);
  const adGroups = observation.adGroups.flatMap((group) => folded(group) ?? []);
  const values: Values = {
    username: folded(observation.username),
    path: foldedPath(observation.path),
    hash: folded(observation.hash),
    signer: folded(observation.signer),
    publisher: folded(observation.publisher),
    parentImage: foldedPath(observation.parentImage),
    commandLine: folded(observation.commandLine),
    adGroups: adGroups.length > 0 ? new Set(adGroups) : null,
    toolName: folded(observation.toolName),
  };
  return subjectWith(values, { siteId: observation.place.siteId, at: observation.at, riskTier: observation.riskTier, effort });
}

const isAllAscii = ({ path, parentImage, commandLine, username, signer, publisher, toolName, adGroups }: Subject): boolean =>
  [path, parentImage, commandLine, username, signer, publisher, toolName].every(isAscii) && [...(adGroups ?? [])].every(isAscii);

/**
 * A subject as denials compare it (see foldWidely); the very same one when it has only ASCII characters.
 * @throws EffortExceeded
 */
export function widelyFolded(subject: Subject): Subject {
  if (isAllAscii(subject)) return subject;
  const { effort } = subject;
  const text = (value: string | null): string | null => value && foldWidely(value, effort);
  const path = (value: string | null): string | null => value && foldPathWidely(value, effort);
  const values: Values = {
    username: text(subject.username),
    path: path(subject.path),
    hash: subject.hash,
    signer: text(subject.signer),
    publisher: text(subject.publisher),
    parentImage: path(subject.parentImage),
    commandLine: text(subject.commandLine),
    adGroups: subject.adGroups && new Set([...subject.adGroups].map((group) => foldWidely(group, effort))),
    toolName: text(subject.toolName),
  };
  return subjectWith(values, subject);
}

/** The forms of what was seen in which a denial may find it: as reported and as it really reads, each folded in both ways. */
export interface Forms {
  readonly exact: readonly Subject[];
  /** The same list when all is ASCII. */
  readonly wide: readonly Subject[];
}

/** @throws EffortExceeded */
export function formsOf(exact: readonly Subject[]): Forms {
  const wide = exact.map(widelyFolded);
  return { exact, wide: wide.every((subject, at) => subject === exact[at]) ? exact : wide };
}
