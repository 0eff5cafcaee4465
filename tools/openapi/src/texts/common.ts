import { AUDIT, NOTIFIER } from './audit.ts';
import { IDENTITY } from './identity.ts';
import { PAM } from './pam.ts';
import { TENANCY } from './tenancy.ts';

/** Members that mean the same in every context. */
const COMMON: Readonly<Record<string, string>> = {
  id: 'The id of this record.',
  partnerId: 'The id of the partner.',
  orgId: 'The id of the organisation.',
  siteId: 'The id of the site.',
  deviceId: 'The id of the device.',
  userId: 'The id of the user.',
  createdAt: 'When it was created.',
  updatedAt: 'When it was last changed.',
  success: 'Always true: failures are returned as problems.',
  data: 'The requested data.',
  pagination: 'The position of this page in the list.',
  page: 'The number of the page, from 1. Lower numbers count as 1.',
  limit: 'The number of entries on a page. Numbers out of range are replaced by the nearest allowed number.',
  total: 'The total number of entries on all pages.',
  search: 'Only entries that contain this text, case-insensitive.',
};

/** The folder of a class decides in whose words its members are described. */
const CONTEXTS: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [/\/(contracts\/identity|apps\/identity)\//, IDENTITY],
  [/\/(contracts\/tenancy|apps\/tenancy)\//, TENANCY],
  [/\/(contracts\/pam|apps\/pam|apps\/pam-ingest)\//, PAM],
  [/\/apps\/audit\//, AUDIT],
  [/\/apps\/notifier\//, NOTIFIER],
];

/** The text of a member whose class says nothing about it: that of the class's own member, or of all of that name. */
export function memberText(path: string, type: string | null, member: string): string | undefined {
  const [, texts] = CONTEXTS.find(([folder]) => folder.test(path)) ?? [];
  return texts?.[`${type ?? ''}.${member}`] ?? texts?.[member] ?? COMMON[member];
}

/** The text of a path parameter without one in the source: `deviceId` and, below `/devices`, `id`. */
export function pathParameterText(name: string, singular: string): string {
  const what =
    name === 'id' ? singular : name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The id of the ${what.replace(/^org$/, 'organisation')}.`;
}
