import { describe, expect, it } from '@jest/globals';
import { distinctiveSerial } from './serial-number.ts';

describe('a serial number', () => {
  it.each([
    'Default string',
    'To Be Filled By O.E.M.',
    'to be filled by oem',
    'System Serial Number',
    'None',
    '0123456789',
    ' N/A ',
    '00000000',
    'XXXX-XXXX',
    'n.a.',
    'Not Present',
    'ＮＯＮＥ',
    'MB-1234567890',
    'BSN12345678901234567',
    'Type2 - Board Serial Number',
    'abc',
    '----------',
    '',
    null,
    undefined,
  ])('TEN-102 that is the placeholder %j tells no two machines apart', (serial) => {
    expect(distinctiveSerial(serial)).toBeNull();
  });

  it.each([
    ['5CD1234XYZ', '5cd1234xyz'],
    [' VMware-56 4d 8a ', 'vmware-56 4d 8a'],
    ['PF0A', 'pf0a'],
    ['SN-1', 'sn-1'],
  ])('TEN-102 %j is compared as %j', (serial, folded) => {
    expect(distinctiveSerial(serial)).toBe(folded);
  });
});
