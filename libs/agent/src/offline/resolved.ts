import { foldCase, withSlashes } from './text.ts';

/** Controls, line separators, bidirectional marks, zero-width and other characters that are not visible. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2066-\u2069\ufff9-\ufffb]/gu;
/** Command lines may contain tabs and line ends. */
const INVISIBLE_IN_COMMAND = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\ufeff]/g;
const DEVICE_PREFIX = /^\/(?:\/[?.]|\?\?)\//;
const ODD_SEGMENT = /(?:^|\/)(?:\.\.?|[^/]*[. ])(?=\/|$)/;
const EMPTY_SEGMENT = /[^/]\/\//;
const DRIVE = /^[a-z]:/;

/** Whether a text has characters that are not visible. */
export const hidesSomething = (text: string): boolean => text.search(INVISIBLE) !== -1;
export const hidesInCommand = (text: string): boolean => text.search(INVISIBLE_IN_COMMAND) !== -1;

/** Whether Windows opens another path than the one that reads so. */
export function misleads(path: string): boolean {
  const folded = withSlashes(foldCase(path));
  const hasStream = folded.replace(DRIVE, '').includes(':');
  return (
    hasStream || hidesSomething(path) || [DEVICE_PREFIX, ODD_SEGMENT, EMPTY_SEGMENT].some((odd) => odd.test(folded))
  );
}

export const visible = (text: string): string => text.replace(INVISIBLE, '').trim();
export const visibleCommand = (text: string): string => text.replace(INVISIBLE_IN_COMMAND, '');

/** A loop, because a regular expression would restart at every dot. */
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

/** The path that Windows opens: `..`, trailing dots and spaces, device prefixes and streams are resolved. */
export function resolvedPath(path: string): string {
  const folded = withSlashes(foldCase(path))
    .replace(INVISIBLE, '')
    .replace(DEVICE_PREFIX, '')
    .replace(/^unc\//, '//');
  const [drive = ''] = DRIVE.exec(folded) ?? [];
  const [rest = ''] = folded.slice(drive.length).split(':', 1);
  const root = /^\/*/.exec(rest)?.[0].slice(0, 2) ?? '';
  return drive + root + resolveSegments(rest.split('/')).join('/');
}
