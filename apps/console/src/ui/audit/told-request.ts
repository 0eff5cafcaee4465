import type { DataOf } from '@gatehouse/client';

/** The words of the request that an entry is about: what was asked for, who asked, and on which device. */
export interface ToldRequest {
  readonly what: 'program' | 'rights' | 'unknown';
  readonly program: string;
  readonly by: 'known' | 'unknown';
  readonly asker: string;
  readonly at: 'known' | 'unknown';
  readonly name: string;
}

export type AuditEntry = DataOf<'/audit-logs', 'get'>['data'][number];
type Told = Pick<AuditEntry, 'action' | 'resource' | 'details'>;

const textOf = (details: Told['details'], member: string): string => {
  const value = details[member];
  return typeof value === 'string' ? value : '';
};

const isKnown = (text: string) => (text === '' ? 'unknown' : 'known');

/** An agent's report is an entry about its program; all other entries about requests are named after the device. */
const isReport = ({ action, details }: Told): boolean =>
  details['flowType'] === 'uac_intercept' && /_request\.(?:submit|ignore)$/.test(action);

function programOf(entry: Told): string {
  const { details, resource } = entry;
  const tool = textOf(details, 'toolName');
  if (tool !== '') return [tool, textOf(details, 'action')].filter(Boolean).join(' · ');
  return isReport(entry) ? (resource.name ?? '') : textOf(details, 'targetExecutablePath');
}

/** @param entry entries of earlier versions name the device only */
export function toldRequest(entry: Told): ToldRequest {
  const { details, resource } = entry;
  const program = programOf(entry);
  const rights = details['flowType'] === 'tech_jit_admin' ? 'rights' : 'unknown';
  const asker = textOf(details, 'requestedByName') || textOf(details, 'subjectUsername');
  const name = isReport(entry) ? '' : (resource.name ?? '');
  return { what: program === '' ? rights : 'program', program, by: isKnown(asker), asker, at: isKnown(name), name };
}

/** What became of a request at once, or of a command on its device. */
export function outcomeOf({ details }: Told): string {
  if (details['type'] === 'revoke_elevation') return 'ended';
  return textOf(details, 'outcome') || textOf(details, 'status') || 'none';
}

/** How many elevations one entry is about that a freeze ended. */
export const countOf = ({ details }: Told): number =>
  Array.isArray(details['requestIds']) ? details['requestIds'].length : 0;
