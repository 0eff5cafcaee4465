/** Counts the steps of folding. */
export interface StepCount {
  spend(steps: number): void;
}

const NON_ASCII = /[^\0-\x7f]/;
const ASCII_RUN = /[\0-\x7f]+/g;
/**
 * Sorting combining marks takes quadratic time in their number; no script needs more than 30 in a row (Unicode's
 * stream-safe text format).
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
/** Steps per character, measured with the most expensive characters. */
const COMPOSE_STEPS = 8;
const FOLD_STEPS = 4;
const JOIN_STEPS = 2;

export const isAscii = (text: string | null): boolean => text === null || !NON_ASCII.test(text);

/**
 * Folds the case of ASCII letters only: a Kelvin sign is not a `k`, and a dotted capital I stays as it is, in every
 * locale.
 */
export const foldCase = (text: string): string =>
  isAscii(text) ? text.toLowerCase() : text.replace(ASCII_RUN, (ascii) => ascii.toLowerCase());

/** Folds case and turns backslashes into slashes: Windows accepts both. */
export const foldPath = (path: string): string => foldCase(path).replaceAll('\\', '/');

const BLANKS = /[\s\u2800]+/g;
const SEVERAL_BLANKS = /[\t-\r]|  /;
const OUTER = new Set(' "\'\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a');

// A loop, because a regular expression would restart at every quote.
function withoutOuter(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && OUTER.has(text[from]!)) from++;
  while (to > from && OUTER.has(text[to - 1]!)) to--;
  return text.slice(from, to);
}

/** Drops outer blanks and quotes, unless nothing else is left. */
export const unquoted = (text: string): string => withoutOuter(text) || text;

/** Whether folding a text widely changes only the case of its ASCII letters, but for its outer blanks and quotes. */
export const foldsAlikeWithin = (text: string | null): boolean =>
  text === null || (!NON_ASCII.test(text) && !SEVERAL_BLANKS.test(text));

/** Whether folding a text widely changes no more than the case of its ASCII letters. */
export const foldsAlike = (text: string | null): boolean =>
  text === null || text === '' || (!OUTER.has(text[0]!) && !OUTER.has(text.at(-1)!) && foldsAlikeWithin(text));

/**
 * Folds a text widely and keeps its outer blanks and quotes, which do not matter to a text that is searched for parts.
 * @throws EffortExceeded
 */
export function foldWithin(text: string, effort?: StepCount): string {
  if (foldsAlikeWithin(text)) return text.toLowerCase();
  if (isAscii(text)) {
    effort?.spend(text.length * JOIN_STEPS);
    return text.replace(BLANKS, ' ').toLowerCase();
  }
  effort?.spend(text.length * COMPOSE_STEPS);
  const composed = text.replace(TOO_MANY_MARKS, '$1').normalize('NFKC');
  // NFKC may turn one character into eighteen.
  effort?.spend(composed.length * FOLD_STEPS);
  // The capital sharp s is its own upper case, while the small one becomes SS.
  return composed
    .replaceAll('ẞ', 'ß')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .replace(BLANKS, ' ');
}

/**
 * Folds a text for denials (decisions, "denials fold widely"): NFKC, without regard to the case of any script, runs of
 * blanks joined, outer blanks and quotes dropped, so that other forms of a denied text are denied too.
 * @throws EffortExceeded
 */
export const foldWidely = (text: string, effort?: StepCount): string => unquoted(foldWithin(text, effort));

export const foldPathWidely = (path: string, effort?: StepCount): string =>
  foldWidely(path, effort).replaceAll('\\', '/');

/** A way to fold the texts of rules and observations for comparison. */
export interface Folding {
  readonly text: (text: string) => string;
  readonly path: (path: string) => string;
}
export const EXACT: Folding = { text: foldCase, path: foldPath };

/**
 * Ordinary texts grow threefold at most. A rule text crafted to grow further would exhaust the memory, so only the case
 * of its ASCII letters is folded.
 */
const MAX_GROWTH = 4;
function foldPattern(text: string): string {
  const folded = foldWidely(text);
  return folded.length > MAX_GROWTH * text.length ? foldCase(text) : folded;
}
export const WIDE: Folding = { text: foldPattern, path: (path) => foldPattern(path).replaceAll('\\', '/') };

/** Turns a blank text into null. */
export const presentOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === '' ? null : text;

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

// Characters that make different names look alike: controls, line separators, bidirectional marks, zero-width and other
// invisible characters.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2066-\u2069\ufff9-\ufffb]/gu;
/** Command lines may contain tabs and line ends. */
const INVISIBLE_IN_COMMAND = /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060\ufeff]/g;

export const hasInvisible = (text: string | null): boolean => text !== null && text.search(INVISIBLE) !== -1;

/** Whether a free text has characters that are not visible or that reverse its direction. */
export const hidesCharacters = (text: string | null): boolean =>
  text !== null && text.search(INVISIBLE_IN_COMMAND) !== -1;

export const visible = (text: string): string => text.replace(INVISIBLE, '').trim();
export const visibleCommand = (text: string): string => text.replace(INVISIBLE_IN_COMMAND, '');

/** `C:\…` without anything that needs a closer look; nearly every path of an agent is one. */
const ORDINARY = /^[a-z]:(?:\\[^\\/:"%~\0-\x1f\x7f]*[^\\/:"%~\0-\x1f\x7f. ])+$/i;
const BEGINNING = /^(?:[a-z]:|\\\\[^\\]+\\[^\\]+)\\/i;
const UNUSABLE = /[/:"\0-\x1f\x7f]/;
const VARIABLE = /%[^%\\]+%/;
/** A short name has at most eight characters, the last ones a tilde and digits, and an extension of three. */
const SHORT_NAME = /^(?=[^.]{2,8}(?:\.|$))[^.]*~\d+(?:\.[^.]{0,3})?$/;
/** Names that Windows opens as something else: those of devices, and the folder of 64-bit programs for 32-bit ones. */
const REDIRECTED =
  /^[a-z]:\\windows\\sysnative\\|(?:^|\\)(?:con(?:(?:in|out)\$)?|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?:[.\\]|$)/i;
const isOdd = (name: string): boolean =>
  name === '' || /[. ]$/.test(name) || SHORT_NAME.test(name) || REDIRECTED.test(name);

/** Folders that begin the paths of macOS and Linux, and no path of Windows. */
const POSIX = /^\/(?:usr|bin|sbin|opt|lib|snap|nix|applications|library|system)\/(?:[^/]+\/)*[^/]+$/i;
const isPosix = (path: string): boolean => POSIX.test(path) && !/[\\:]|\/[^/]*[. ](?:\/|$)/.test(path);

const FIRST_LABEL = /^[^.]*/;
/** Windows also knows a computer by the first fifteen characters of its name. */
const NETBIOS_LETTERS = 15;
const foldServer = (name: string): string => name.trim().normalize('NFKC').toLowerCase();
const netbiosName = (name: string): string => (FIRST_LABEL.exec(name)?.[0] ?? '').slice(0, NETBIOS_LETTERS);
const MAX_SERVER = 255;

/**
 * Whether a server of a path may be the machine itself: by its own name, as loopback, as its Linux subsystem, behind a
 * named redirector, or by any address, since only the machine knows its addresses.
 */
function mayBeOwn(server: string, hostname: string | null | undefined): boolean {
  if (server.length > MAX_SERVER) return true;
  const name = foldServer(server);
  if (/^(?:localhost|loopback|wsl\$)(?:\.|$)|\.localhost\.?$|ipv6-literal\.net\.?$/.test(name)) return true;
  // An address in any of its spellings: dotted, hexadecimal, a single number.
  if (/^(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+))*\.?$/.test(name) || /[[\]@?;]/.test(name)) return true;
  return Boolean(hostname) && netbiosName(name) === netbiosName(foldServer(hostname!));
}

const UNPLAIN_SHARE = /^(?:(?:[a-z]|admin|ipc|print|fax)\$|davwwwroot)$/i;

/** Whether `\\server\share\` is a share of another machine. */
function isPlainShare(beginning: string, hostname: string | null | undefined): boolean {
  const [server = '', share = ''] = beginning.slice(2).split('\\');
  if ([server, share].some((name) => UNUSABLE.test(name) || isOdd(name))) return false;
  return !UNPLAIN_SHARE.test(share) && !mayBeOwn(server, hostname);
}

/** The same as for {@link ORDINARY}, for shares and for names that hold a tilde or a percent sign. */
function isPlainAfterAll(path: string, hostname: string | null | undefined): boolean {
  const beginning = BEGINNING.exec(path)?.[0];
  if (beginning === undefined || VARIABLE.test(path)) return false;
  const rest = path.slice(beginning.length);
  if (UNUSABLE.test(rest) || rest.split('\\').some(isOdd)) return false;
  return !beginning.startsWith('\\') || isPlainShare(beginning, hostname);
}

/**
 * Whether a path reads as Windows opens it: `X:\…` with long names, or `\\server\share\…` of another machine. Whatever
 * else names a file is never granted (decisions, "Windows paths").
 * @param hostname of the machine that reported the path
 */
export function isPlainPath(path: string, hostname?: string | null): boolean {
  if (!isAscii(path) && hasInvisible(path)) return false;
  if (REDIRECTED.test(path)) return false;
  return ORDINARY.test(path) || isPosix(path) || (!hasInvisible(path) && isPlainAfterAll(path, hostname));
}

/** Whether a name of a program is a file name alone, as some agents report parents. */
export const isBareName = (path: string): boolean => !/[\\/:*?"<>|%]/.test(path) && !hasInvisible(path) && !isOdd(path);

/** Names of the same place, without the path behind them; the volumes of devices are taken for the system's. */
const REWRITTEN: readonly (readonly [RegExp, string])[] = [
  [/^file:\/*(?=[a-z]:)/, ''],
  [/^file:(?=\/\/)/, ''],
  [/^\/+(?:[?.]|\?\?|global\?\?|dosdevices)\/+(?:global\/+)?/, '/'],
  [/^\/globalroot(?=\/)/, ''],
  [/^\/unc\/+/, '//'],
  [/^\/(?=[a-z]:)/, ''],
  [/^\/+device\/(?:mup|lanmanredirector|webdavredirector)\/+/, '//'],
  // The redirector, and the drive, by which a server is reached.
  [/^\/\/(?:;[^/]*\/+)+/, '//'],
  [/^\/+device\/harddisk\d+\/(?:partition\d+|dr\d+)(?=\/)/, 'c:'],
  [
    /^\/+(?:device\/)?(?:harddiskvolume(?:shadowcopy)?\d+|bootdevice|bootpartition|volume\{[^/]*\}|systemboot)(?=\/)/,
    'c:',
  ],
  [/^\/*systemroot(?=\/)/, 'c:/windows'],
  [/^%(?:systemroot|windir)%/, 'c:/windows'],
  [/^%(?:systemdrive|homedrive)%/, 'c:'],
  [/^%(?:programfiles|programw6432)%/, 'c:/program files'],
  [/^%programfiles\(x86\)%/, 'c:/program files (x86)'],
  [/^%common(?:programfiles|programw6432)%/, 'c:/program files/common files'],
  [/^%(?:programdata|allusersprofile)%/, 'c:/programdata'],
  [/^%public%/, 'c:/users/public'],
  [/^%(?:userprofile|homepath)%/, 'c:/users/%username%'],
  [/^%appdata%/, 'c:/users/%username%/appdata/roaming'],
  [/^%localappdata%/, 'c:/users/%username%/appdata/local'],
  [/^%(?:temp|tmp)%/, 'c:/users/%username%/appdata/local/temp'],
  [/^%comspec%$/, 'c:/windows/system32/cmd.exe'],
  [/^\/\/\[[^/]*\](?=\/)/, '//localhost'],
];
/** A prefix may stand in front of another one. */
const MAX_PREFIXES = 8;

const rewritten = (path: string): string => REWRITTEN.reduce((text, [from, to]) => text.replace(from, to), path);

function withoutPrefixes(path: string): string {
  let known = path;
  for (let turn = 0; turn < MAX_PREFIXES; turn++) {
    const next = rewritten(known);
    if (next === known) break;
    known = next;
  }
  return known;
}

/** The short names that a new system has. */
const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ['progra~1', 'program files'],
  ['progra~2', 'program files (x86)'],
  ['progra~3', 'programdata'],
  ['docume~1', 'documents and settings'],
  ['downlo~1', 'downloads'],
  ['common~1', 'common files'],
  ['micros~1', 'microsoft'],
]);

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
    else if (segment !== '.' && segment !== '') resolved.push(LONG_NAMES.get(segment) ?? withoutTail(segment));
  }
  return resolved;
}

const DRIVE = /^[a-z]:/;

function resolved(path: string): string {
  const [drive = ''] = DRIVE.exec(path) ?? [];
  const [rest = ''] = path.slice(drive.length).split(':', 1);
  // Two slashes begin the name of a server, but not behind a drive, where a path without any is taken from the root.
  const root = drive === '' ? (/^\/*/.exec(rest)?.[0].slice(0, 2) ?? '') : '/';
  return drive + root + resolveSegments(rest.split('/')).join('/');
}

const SHARE = /^\/\/([^/]+)\/([^/]+)(?=\/|$)/;
const SHARED_FOLDERS: ReadonlyMap<string, string> = new Map([
  ['admin$', 'c:/windows'],
  ['print$', 'c:/windows/system32/spool/drivers'],
]);

/** The local path behind an administrative share; null for another one. */
function localOf(path: string): string | null {
  const [whole = '', , share = ''] = SHARE.exec(path) ?? [];
  const folder = /^[a-z]\$$/.test(share) ? `${share[0]}:` : SHARED_FOLDERS.get(share);
  return folder === undefined ? null : folder + path.slice(whole.length);
}

/** The folder by which 32-bit programs open the system's own. */
const SYSNATIVE = /^([a-z]:\/windows\/)sysnative\//;

/** `\\server@SSL@443\DavWWWRoot\share` is `\\server\share`. */
const withoutDav = (path: string): string =>
  path.replace(/^(\/\/[^/@]+)@[^/]*(?=\/)/, '$1').replace(/^(\/\/[^/]+)\/davwwwroot(?=\/)/, '$1');

/**
 * The plain forms that are known of a path that is not plain, folded: the one that Windows opens first, and a local one
 * for administrative shares and for paths from the root of some drive.
 */
export function plainFormsOf(path: string): string[] {
  if (isAscii(path) && ORDINARY.test(path) && !REDIRECTED.test(path)) return [unquoted(foldPath(path))];
  const folded = unquoted(foldPath(path).replace(INVISIBLE, ''));
  const opened = resolved(withoutDav(withoutPrefixes(folded))).replace(SYSNATIVE, '$1system32/');
  const local = localOf(opened) ?? (/^\/[^/]/.test(opened) ? `c:${opened}` : null);
  return local === null ? [opened] : [opened, local];
}
