import type { Observation } from './observation.ts';
import { foldPath } from './text.ts';

// Characters that make different names look alike: controls, line separators, bidirectional marks, zero-width and other
// invisible characters.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2066-\u2069\ufff9-\ufffb]/gu;
/** Command lines may contain tabs and line ends. */
const INVISIBLE_IN_COMMAND = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\ufeff]/g;
const DEVICE_PREFIX = /^\/(?:\/[?.]|\?\?)\//;
const ODD_SEGMENT = /(?:^|\/)(?:\.\.?|[^/]*[. ])(?=\/|$)/;
const EMPTY_SEGMENT = /[^/]\/\//;
const DRIVE = /^[a-z]:/;

const hasInvisible = (text: string | null): boolean => text !== null && text.search(INVISIBLE) !== -1;

/** Whether a free text has characters that are not visible or that reverse its direction. */
export const hidesCharacters = (text: string | null): boolean =>
  text !== null && text.search(INVISIBLE_IN_COMMAND) !== -1;

/**
 * True for a path that Windows resolves differently from how it reads: `..`, trailing dots and spaces, device prefixes,
 * streams, doubled slashes, invisible characters.
 */
export function isSuspiciousPath(path: string): boolean {
  const folded = foldPath(path);
  const stream = folded.replace(DRIVE, '').includes(':');
  return (
    stream || hasInvisible(path) || DEVICE_PREFIX.test(folded) || ODD_SEGMENT.test(folded) || EMPTY_SEGMENT.test(folded)
  );
}

/**
 * Whether the observation is suspicious: it is never granted or ignored, only denied or left to a technician
 * (decisions, "suspicious observation").
 */
export const isSuspicious = ({
  path,
  parentImage,
  username,
  signer,
  publisher,
  toolName,
  commandLine,
}: Observation): boolean =>
  [path, parentImage].some((text) => text !== null && text.trim() !== '' && isSuspiciousPath(text)) ||
  [username, signer, publisher, toolName].some(hasInvisible) ||
  hidesCharacters(commandLine);

// Written as a loop, like the removal of streams below: a regular expression would restart at every dot, and take a
// second for a path of 32 000 dots.
function withoutTail(segment: string): string {
  let end = segment.length;
  while (end > 0 && (segment[end - 1] === '.' || segment[end - 1] === ' ')) end--;
  return segment.slice(0, end);
}

function resolveSegments(segments: readonly string[]): string[] {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else if (segment !== '.' && segment !== '') resolved.push(withoutTail(segment));
  }
  return resolved;
}

/** Resolves a path as Windows does. */
export function normalisePath(path: string): string {
  const folded = foldPath(path)
    .replace(INVISIBLE, '')
    .replace(DEVICE_PREFIX, '')
    .replace(/^unc\//, '//');
  const [drive = ''] = DRIVE.exec(folded) ?? [];
  const [rest = ''] = folded.slice(drive.length).split(':', 1);
  // Two slashes begin the name of a server, but not behind a drive.
  const root = /^\/*/.exec(rest)?.[0].slice(0, drive === '' ? 2 : 1) ?? '';
  return drive + root + resolveSegments(rest.split('/')).join('/');
}

const visible = (text: string | null): string | null => text && text.replace(INVISIBLE, '').trim();

/** Normalises a suspicious observation, so that a denial matches what Windows would run. */
export const normalised = (observation: Observation): Observation => ({
  ...observation,
  path: observation.path && normalisePath(observation.path),
  parentImage: observation.parentImage && normalisePath(observation.parentImage),
  username: visible(observation.username),
  signer: visible(observation.signer),
  publisher: visible(observation.publisher),
  toolName: visible(observation.toolName),
  commandLine: observation.commandLine && observation.commandLine.replace(INVISIBLE_IN_COMMAND, ''),
});
