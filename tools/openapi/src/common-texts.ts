/** Texts of members and parameters that mean the same wherever they occur; a comment in the source rules over them. */
export const MEMBERS: Readonly<Record<string, string>> = {
  id: 'The id of this record.',
  partnerId: 'The id of the partner.',
  orgId: 'The id of the organisation.',
  siteId: 'The id of the site.',
  deviceId: 'The id of the device.',
  userId: 'The id of the user.',
  createdAt: 'When it was created.',
  updatedAt: 'When it was last changed.',
  success: 'Always true: a failure is answered with a problem.',
  data: 'What was asked for.',
  pagination: 'The place of this page in the whole list.',
  page: 'The number of the page, from 1. Smaller numbers count as 1.',
  limit: 'The number of entries on a page. Numbers out of range count as the nearest that is allowed.',
  total: 'The number of entries on all pages together.',
  search: 'Only entries that contain this text, in upper or lower case.',
};

/** The text of a path parameter without one in the source: `deviceId` and, below `/devices`, `id`. */
export function pathParameterText(name: string, singular: string): string {
  const what =
    name === 'id' ? singular : name.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The id of the ${what.replace(/^org$/, 'organisation')}.`;
}
