import {
  FROZEN_STATUSES,
  type MergeTableRecord,
  type MergeVerdict,
  type OrganizationStatus,
} from '@gatehouse/contracts-tenancy';

interface MergedOrganization {
  readonly id: string;
  readonly status: OrganizationStatus;
  /** Devices that count under a cap. */
  readonly devices: number;
}

export interface MergeFacts {
  readonly source: MergedOrganization;
  readonly survivor: MergedOrganization & { readonly maxDevices: number | null };
  readonly samePartner: boolean;
  readonly tables: readonly MergeTableRecord[];
  /** The remarks that the services themselves made. */
  readonly remarks: { readonly blockers: readonly string[]; readonly warnings: readonly string[] };
  readonly maxRows: number;
}

export interface MergePlan {
  readonly totalMovableRows: number;
  readonly verdict: MergeVerdict;
  readonly warnings: string[];
  readonly blockers: string[];
}

const UNMERGEABLE: readonly OrganizationStatus[] = ['merging', 'purging'];

function blockersOf({ source, survivor, samePartner }: MergeFacts): string[] {
  const devices = survivor.devices + source.devices;
  return [
    !samePartner && 'The organisations belong to different partners.',
    UNMERGEABLE.includes(source.status) && `The organisation is ${source.status}.`,
    FROZEN_STATUSES.includes(survivor.status) && `The surviving organisation is ${survivor.status}.`,
    survivor.maxDevices !== null &&
      devices > survivor.maxDevices &&
      `The surviving organisation may have ${survivor.maxDevices} devices and would have ${devices}.`,
  ].filter((blocker): blocker is string => blocker !== false);
}

/** Computes the effect of a merge, and whether it may run. */
export function mergePlan(facts: MergeFacts): MergePlan {
  const totalMovableRows = facts.tables.reduce((sum, { move }) => sum + move, 0);
  const blockers = [...blockersOf(facts), ...facts.remarks.blockers];
  const dropped = facts.tables.reduce((sum, { drop }) => sum + drop, 0);
  const records = dropped === 1 ? '1 record' : `${dropped} records`;
  const warning = `${records} cannot move and will be deleted, as listed by kind.`;
  const warnings = [...(dropped > 0 ? [warning] : []), ...facts.remarks.warnings];
  const verdict = blockers.length > 0 ? 'blocked' : totalMovableRows > facts.maxRows ? 'too_large' : 'ok';
  return { totalMovableRows, verdict, warnings, blockers };
}
