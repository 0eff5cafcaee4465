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
    'C:\\Windows\\SysWOW64\\Tasks\\x.exe',
    'C:\\Windows\\System32\\Tasks\\Microsoft\\Windows\\x.exe',
    'C:\\Windows\\System32\\Microsoft\\Crypto\\RSA\\MachineKeys\\x.exe',
    'C:\\Windows\\System32\\com\\dmp\\x.exe',
    'C:\\Windows\\System32\\spool\\PRINTERS\\x.exe',
    'C:\\Windows\\ServiceProfiles\\LocalService\\AppData\\Local\\Temp\\x.exe',
    'C:\\Windows\\Registration\\CRMLog\\x.exe',
    'C:\\Windows\\debug\\WIA\\x.exe',
    '\\SystemRoot\\Temp\\x.exe',
    '\\Device\\HarddiskVolume3\\Users\\ann\\x.exe',
    '\\\\localhost\\c$\\Users\\ann\\x.exe',
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
