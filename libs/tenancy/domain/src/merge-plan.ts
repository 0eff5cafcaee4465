import { FROZEN_STATUSES, type MergeTableDto, type MergeVerdict, type OrganizationStatus } from '@gatehouse/contracts-tenancy';

export interface MergeFacts {
  readonly source: { readonly id: string; readonly status: OrganizationStatus };
  readonly survivor: { readonly id: string; readonly status: OrganizationStatus; readonly maxDevices: number | null; readonly devices: number };
  readonly samePartner: boolean;
  readonly tables: readonly MergeTableDto[];
  readonly maxRows: number;
}

export interface MergePlan {
  readonly totalMovableRows: number;
  readonly verdict: MergeVerdict;
  readonly warnings: string[];
  readonly blockers: string[];
}

const UNMERGEABLE: readonly OrganizationStatus[] = ['merging', 'purging'];
const rowsOf = (tables: readonly MergeTableDto[], table: string): number => tables.find((each) => each.service === 'tenancy' && each.table === table)?.move ?? 0;

function blockersOf({ source, survivor, samePartner, tables }: MergeFacts): string[] {
  const devices = survivor.devices + rowsOf(tables, 'devices');
  return [
    !samePartner && 'The organizations belong to different partners.',
    UNMERGEABLE.includes(source.status) && `The organization is ${source.status}.`,
    FROZEN_STATUSES.includes(survivor.status) && `The surviving organization is ${survivor.status}.`,
    survivor.maxDevices !== null && devices > survivor.maxDevices && `The surviving organization may have ${survivor.maxDevices} devices and would have ${devices}.`,
  ].filter((blocker): blocker is string => blocker !== false);
}

/** What a merge would come to, and whether it may run by itself. */
export function mergePlan(facts: MergeFacts): MergePlan {
  const totalMovableRows = facts.tables.reduce((sum, { move }) => sum + move, 0);
  const blockers = blockersOf(facts);
  const warnings = facts.tables.filter(({ drop }) => drop > 0).map(({ service, table, drop }) => `${drop} rows of ${service}.${table} cannot move and will be dropped.`);
  const verdict = blockers.length > 0 ? 'blocked' : totalMovableRows > facts.maxRows ? 'too_large' : 'ok';
  return { totalMovableRows, verdict, warnings, blockers };
}
