import { normalisePath } from './suspicion.ts';

/** Folders in which a standard user can create files, as normalised paths: lower case, slashes, no doubled separators. */
const WRITABLE = [
  /^[a-z]:\/users\/[^/]+\//,
  /^[a-z]:\/documents and settings\/[^/]+\//,
  /^[a-z]:\/(?:programdata|progra~3)\//,
  /^[a-z]:\/(?:temp|tmp|\$recycle\.bin)\//,
  /^[a-z]:\/windows\/(?:temp|tasks|tracing)\//,
  /^[a-z]:\/windows\/system32\/(?:tasks|spool\/drivers\/color)\//,
  /^%(?:temp|tmp|appdata|localappdata|userprofile|public|programdata)%\//,
  /^\/(?:tmp|var\/tmp|dev\/shm|private\/tmp)\//,
  /^\/(?:home|users)\/[^/]+\//,
];
const IN_DRIVE_ROOT = /^[a-z]:\/[^/]+$/;

/** Whether a standard user can save a file at the path: a profile, a temporary or shared folder, or the root of a drive. */
export function isUserWritable(path: string): boolean {
  const normal = normalisePath(path);
  return IN_DRIVE_ROOT.test(normal) || WRITABLE.some((folder) => folder.test(normal));
}
