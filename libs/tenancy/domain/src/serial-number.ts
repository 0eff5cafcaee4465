import { foldName } from '@gatehouse/contracts-core';

/**
 * What firmware says in place of a serial number, letters and digits only: vendors' defaults as collected by public
 * inventories of hardware (dmidecode, fwupd, OCS Inventory, GLPI).
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  ...['defaultstring', 'default', 'tobefilledbyoem', 'tobefilled', 'filledbyoem', 'systemserialnumber', 'systemserial'],
  ...['serialnumber', 'serial', 'chassisserialnumber', 'chassisserial', 'baseboardserialnumber', 'boardserialnumber'],
  ...['mbserialnumber', 'productserialnumber', 'partnumber', 'assettag', 'chassisassettag', 'noassettag', 'sernum0'],
  ...['none', 'null', 'undefined', 'unknown', 'invalid', 'empty', 'blank', 'unspecified', 'oem', 'oemserial', 'nil'],
  ...['notspecified', 'notavailable', 'notapplicable', 'notdefined', 'notset', 'notprovided', 'nosernum', 'noserial'],
  ...['noserialnumber', 'serialnumberinvalid', 'invalidserialnumber', 'systemproductname', 'systemmanufacturer'],
  ...['systemversion', 'manufacturer', 'type1sku0', 'typechassisserial', 'evaluation', 'type2boardserialnumber'],
  ...['notpresent', 'noneprovided', 'noassetinformation', 'tbfbyoem', 'mb1234567890', 'bsn12345678901234567', 'na'],
  ...[
    '0123456789',
    '123456789',
    '1234567890',
    '12345678',
    '1234567',
    '123456',
    '12345',
    '1234',
    '01234567890123456789',
  ],
  ...['9876543210', '987654321', '0123456789abcdef', 'abcdefgh', 'abcd', 'abc123', 'inva1id', 'virtualmachine'],
]);
const MIN_CHARACTERS = 4;

/**
 * The folded serial number, if it can tell two machines apart; null for a placeholder (TEN-102), which images of one
 * disk and boards of one series share.
 */
export function distinctiveSerial(serialNumber: string | null | undefined): string | null {
  const folded = foldName(serialNumber ?? '');
  const text = folded.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '');
  const isDistinctive = [...folded].length >= MIN_CHARACTERS && new Set(text).size > 1 && !PLACEHOLDERS.has(text);
  return isDistinctive ? folded : null;
}
