import type { Observation } from './observation.ts';
import { foldPath } from './text.ts';

// Cc (controls), bidirectional marks and overrides, zero-width and other invisible signs: what makes one name look like another.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]/g;
/** In a command line, tabs and line ends are nothing odd. */
const INVISIBLE_IN_COMMAND = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\ufeff]/;
const DEVICE_PREFIX = /^\/(?:\/[?.]|\?\?)\//;
const ODD_SEGMENT = /(?:^|\/)(?:\.\.?|[^/]*[. ])(?=\/|$)/;
const EMPTY_SEGMENT = /[^/]\/\//;
const DRIVE = /^[a-z]:/;

const hasInvisible = (text: string | null): boolean => text !== null && text.search(INVISIBLE) !== -1;

/** True for a path that Windows resolves to another than it reads like: `..`, trailing dots and spaces, device prefixes, streams, doubled slashes, invisible signs. */
export function isSuspiciousPath(path: string): boolean {
  const folded = foldPath(path);
  const stream = folded.replace(DRIVE, '').includes(':');
  return stream || hasInvisible(path) || DEVICE_PREFIX.test(folded) || ODD_SEGMENT.test(folded) || EMPTY_SEGMENT.test(folded);
}

/** Never granted and never ignored, only denied or left to a person (decisions, "suspicious observation"). */
export const isSuspicious = ({ path, parentImage, username, signer, publisher, commandLine }: Observation): boolean =>
  [path, parentImage].some((text) => text !== null && text.trim() !== '' && isSuspiciousPath(text)) ||
  [username, signer, publisher].some(hasInvisible) ||
  (commandLine !== null && INVISIBLE_IN_COMMAND.test(commandLine));

function resolveSegments(segments: readonly string[]): string[] {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === '..') resolved.pop();
    else if (segment !== '.' && segment !== '') resolved.push(segment.replace(/[. ]+$/, ''));
  }
  return resolved;
}

/** The path that Windows would open. */
export function normalisePath(path: string): string {
  const folded = foldPath(path).replace(INVISIBLE, '').replace(DEVICE_PREFIX, '').replace(/^unc\//, '//');
  const [drive = ''] = DRIVE.exec(folded) ?? [];
  const rest = folded.slice(drive.length).replace(/:.*$/, '');
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
});
