import { describe, expect, it } from '@jest/globals';
import { isUserWritable } from './writable-path.ts';

describe('PAM-90 isUserWritable', () => {
  it.each([
    'C:\\Users\\ann\\Downloads\\setup.exe',
    'c:/users/PUBLIC/x.exe',
    'D:\\Users\\ann\\x.exe',
    'C:\\ProgramData\\tool\\x.exe',
    'C:\\PROGRA~3\\x.exe',
    'C:\\Windows\\Temp\\x.exe',
    'C:\\Windows\\System32\\spool\\drivers\\color\\x.exe',
    'C:\\x.exe',
    '%TEMP%\\x.exe',
    '/tmp/x',
    '/home/ann/x',
    '\\\\?\\C:\\Users\\ann\\x.exe',
    'C:\\Program Files\\..\\Users\\ann\\x.exe',
  ])('is true of %s', (path) => expect(isUserWritable(path)).toBe(true));

  it.each([
    'C:\\Program Files\\Vendor\\x.exe',
    'C:\\Windows\\System32\\cmd.exe',
    'C:\\Windows\\Tasksched\\x.exe',
    'C:\\Users\\ann\\..\\..\\Windows\\x.exe',
    '/usr/bin/x',
    'x.exe',
    '',
  ])('is false of %s', (path) => expect(isUserWritable(path)).toBe(false));
});
