import type { Observation } from './observation.ts';
import { foldPath } from './text.ts';

// Controls, line separators, bidirectional marks, zero-width and other invisible signs: what makes one name look like
// another.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2066-\u2069\ufff9-\ufffb]/gu;
/** In a command line, tabs and line ends are nothing odd. */
const INVISIBLE_IN_COMMAND = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\ufeff]/g;
const DEVICE_PREFIX = /^\/(?:\/[?.]|\?\?)\//;
const ODD_SEGMENT = /(?:^|\/)(?:\.\.?|[^/]*[. ])(?=\/|$)/;
const EMPTY_SEGMENT = /[^/]\/\//;
const DRIVE = /^[a-z]:/;

const hasInvisible = (text: string | null): boolean => text !== null && text.search(INVISIBLE) !== -1;

/**
 * True for a path that Windows resolves to another than it reads like: `..`, trailing dots and spaces, device prefixes,
 * streams, doubled slashes, invisible signs.
 */
export function isSuspiciousPath(path: string): boolean {
  const folded = foldPath(path);
  const stream = folded.replace(DRIVE, '').includes(':');
  return (
    stream || hasInvisible(path) || DEVICE_PREFIX.test(folded) || ODD_SEGMENT.test(folded) || EMPTY_SEGMENT.test(folded)
  );
}

/** Never granted and never ignored, only denied or left to a person (decisions, "suspicious observation"). */
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
  (commandLine !== null && commandLine.search(INVISIBLE_IN_COMMAND) !== -1);

// By hand, as is the cutting of streams below: an expression for it starts anew at every dot, and a path of 32 000 dots
// would take a second.
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

/** The path that Windows would open. */
export function normalisePath(path: string): string {
  const folded = foldPath(path)
    .replace(INVISIBLE, '')
    .replace(DEVICE_PREFIX, '')
    .replace(/^unc\//, '//');
  const [drive = ''] = DRIVE.exec(folded) ?? [];
  const [rest = ''] = folded.slice(drive.length).split(':', 1);
  const root = /^\/*/.exec(rest)?.[0].slice(0, 2) ?? '';
  return drive + root + resolveSegments(rest.split('/')).join('/');
}

const visible = (text: string | null): string | null => text && text.replace(INVISIBLE, '').trim();

/** What a suspicious observation really says: the form that a denial must not miss. */
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
