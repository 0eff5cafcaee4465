import { foldPathWidely, plainFormsOf } from '@gatehouse/windows-paths';

/**
 * Folders in which a standard user can create files, as normalised paths: lower case, slashes, no doubled separators.
 * `?` is any letter of a drive and `*` any folder. Those below `windows` are left open by a new system, or were by one
 * that is still in use, as found by UltimateAppLockerByPassList (api0cradle, "Generic AppLocker bypasses"), by
 * AaronLocker's scan of writable directories (Microsoft), and by sweeps with `accesschk -w -s -u Users c:\\windows`.
 */
const WRITABLE = [
  '?:/users/*/',
  '?:/documents and settings/*/',
  '?:/programdata/',
  '?:/temp/',
  '?:/tmp/',
  '?:/downloads/',
  '?:/$recycle.bin/',
  '?:/perflogs/',
  '?:/windows/temp/',
  '?:/windows/tasks/',
  '?:/windows/tracing/',
  '?:/windows/debug/wia/',
  '?:/windows/registration/crmlog/',
  '?:/windows/serviceprofiles/*/appdata/',
  '?:/windows/ccm/inventory/noidmifs/',
  '?:/windows/ccm/logs/',
  '?:/windows/ccm/systemtemp/evaltemp/',
  '?:/windows/systemtemp/',
  '?:/windows/microsoft.net/framework/*/temporary asp.net files/',
  '?:/windows/microsoft.net/framework64/*/temporary asp.net files/',
  ...['system32', 'syswow64', 'sysnative'].flatMap((folder) =>
    [
      'catroot2/',
      'com/dmp/',
      'config/systemprofile/appdata/local/temp/',
      'fxstmp/',
      'logfiles/wmi/',
      'microsoft/crypto/',
      'spool/drivers/color/',
      'spool/printers/',
      'spool/servers/',
      'tasks/',
      'tasks_migrated/',
    ].map((below) => `?:/windows/${folder}/${below}`),
  ),
  '/tmp/',
  '/var/tmp/',
  '/dev/shm/',
  '/private/tmp/',
  '/home/*/',
  '/users/*/',
];
const IN_DRIVE_ROOT = /^[a-z]:\/[^/]+$/;

const patternOf = (folder: string): string =>
  folder.replaceAll('$', '\\$').replaceAll('.', '\\.').replaceAll('*', '[^/]+').replace('?', '[a-z]');
const IN_WRITABLE = new RegExp(`^(?:${WRITABLE.map(patternOf).join('|')})`);

/**
 * Whether a standard user can save a file at the path: a profile, a temporary or shared folder, or the root of a drive.
 */
export const isUserWritable = (path: string): boolean =>
  plainFormsOf(path).some((form) => IN_DRIVE_ROOT.test(form) || IN_WRITABLE.test(form));

type Positions = ReadonlySet<number>;

/** The positions of a folder after any of its characters from these positions on were taken. */
function beyond(folder: string, from: Positions, crossesSlashes: boolean): Set<number> {
  const reached = new Set<number>();
  for (const start of from) {
    let at = start;
    while (!reached.has(at)) {
      reached.add(at);
      if (at === folder.length || (folder[at] === '/' && !crossesSlashes)) break;
      at++;
    }
  }
  return reached;
}

/** The positions of a folder after one more character; null stands for any character but a slash. */
function after(folder: string, from: Positions, character: string | null): Set<number> {
  const reached = new Set<number>();
  for (const at of from) {
    const wanted = folder[at];
    const isSlash = character === '/';
    if (wanted === '*' && !isSlash) reached.add(at).add(at + 1);
    else if (wanted === '?' ? !isSlash : character === null ? wanted !== '/' : wanted === character)
      reached.add(at + 1);
  }
  return reached;
}

/** Whether the glob's text before its first wildcard contradicts the folder. */
function beginsElsewhere(folder: string, glob: string): boolean {
  for (let at = 0; at < glob.length && at < folder.length; at++) {
    const [wanted, given] = [folder[at], glob[at]];
    if (given === '*' || given === '?' || wanted === '*') return false;
    if (wanted !== given && (wanted !== '?' || given === '/')) return true;
  }
  return false;
}

/** Whether a path below the folder can match the glob, both read character by character. */
function reachesBelow(folder: string, glob: string): boolean {
  if (beginsElsewhere(folder, glob)) return false;
  let positions = new Set([0]);
  for (const [run] of glob.matchAll(/\*+|[^*]/gu)) {
    if (run.startsWith('*')) positions = beyond(folder, positions, run !== '*');
    else positions = after(folder, positions, run === '?' ? null : run);
    if (positions.has(folder.length)) return true;
    if (positions.size === 0) return false;
  }
  return false;
}

const ANY_DRIVE = /^[*?]+:/;
const DRIVE_ROOT = '?:/';

const reachesDriveRoot = (glob: string): boolean => {
  const [drive = '', ...folders] = glob.split('/');
  return folders.length === 1 && reachesBelow(DRIVE_ROOT, `${drive}/`);
};

/** Whether a standard user can save a file at a path that matches the glob; Unicode forms and separators are folded. */
export const reachesUserWritable = (glob: string): boolean =>
  plainFormsOf(foldPathWidely(glob).replace(ANY_DRIVE, 'c:')).some(
    (form) => reachesDriveRoot(form) || WRITABLE.some((folder) => reachesBelow(folder, form)),
  );
