import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MergePreviewResponse, MergeTableRecord } from '@gatehouse/contracts-tenancy';
import { sha256Hex } from '@gatehouse/crypto';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { countQuestion, EventBus } from '@gatehouse/messaging';
import { mergePlan } from '@gatehouse/tenancy-domain';
import { type CountQuestion, type Remarks, type TableCounts, TenantTasks } from '@gatehouse/tenant-data';
import { Injectable } from '@nestjs/common';
import { DeviceCountsRepository } from '../devices/counts/device-counts.repository.ts';
import { type OrganizationRow, OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { TenancyConfig } from '../tenancy.config.ts';
import { tenancyTenantData } from './tenant-data/tenancy-tenant-data.ts';

const REPLY_WITHIN_MS = 5_000;

type Counted = OrganizationRow & { readonly devices: number };
interface Pair {
  readonly source: Counted;
  readonly survivor: Counted;
}
export interface PreparedMerge extends Pair {
  readonly preview: MergePreviewResponse;
}

@Injectable()
export class PreviewMerge {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly deviceCountsRepository: DeviceCountsRepository,
    private readonly bus: EventBus,
    private readonly tenantTasks: TenantTasks,
    private readonly config: TenancyConfig,
  ) {}

  /** @throws ProblemError same_organization, organization_not_found, unavailable when a service does not answer */
  async preview(caller: UserCaller, sourceId: string, survivorId: string): Promise<PreparedMerge> {
    if (sourceId === survivorId)
      throw new ProblemError('same_organization', 'An organisation cannot be merged into itself.');
    const pair = await this.readPair(caller, sourceId, survivorId);
    const { tables, remarks } = await this.countAll({
      sourceId,
      targetId: survivorId,
      permissions: [...caller.permissions].sort(),
    });
    const { source, survivor } = pair;
    const plan = mergePlan({
      source,
      survivor,
      samePartner: source.partnerId === survivor.partnerId,
      tables,
      remarks,
      maxRows: this.config.orgMergeMaxRows,
    });
    const planToken = sha256Hex(
      JSON.stringify([source.id, source.status, survivor.id, survivor.status, tables, remarks]),
    );
    return { ...pair, preview: { planToken, tables, ...plan } };
  }

  private readPair(caller: UserCaller, sourceId: string, survivorId: string): Promise<Pair> {
    return this.work.read(caller, async (reader) => ({
      source: await this.counted(reader, caller, sourceId),
      survivor: await this.counted(reader, caller, survivorId),
    }));
  }

  private async counted(reader: Reader, caller: UserCaller, id: string): Promise<Counted> {
    const organization = await this.organizationsRepository.get(reader, caller, id);
    return { ...organization, devices: await this.deviceCountsRepository.inServiceOfOrganization(reader, id) };
  }

  /** Both organisations are in the caller's reach, so the caller may see the row counts of every service. */
  private async countAll(question: CountQuestion): Promise<{ tables: MergeTableRecord[]; remarks: Remarks }> {
    const { service: self } = tenancyTenantData;
    const others = this.config.tenantDataParticipants.filter((service) => service !== self);
    const counted = await Promise.all([
      this.tenantTasks.count(question),
      ...others.map((service) => this.countIn(service, question)),
    ]);
    const tables = counted
      .flatMap((counts) => counts.tables)
      .sort((a, b) => `${a.service}.${a.table}`.localeCompare(`${b.service}.${b.table}`));
    const remarksOf = (kind: keyof Remarks): string[] => counted.flatMap((counts) => counts[kind] ?? []).sort();
    return { tables, remarks: { blockers: remarksOf('blockers'), warnings: remarksOf('warnings') } };
  }

  private async countIn(service: string, question: CountQuestion): Promise<TableCounts> {
    try {
      const counts = await this.bus.request<TableCounts>(countQuestion(service), question, {
        timeoutMs: REPLY_WITHIN_MS,
      });
      return { ...counts, tables: counts.tables.filter((table) => table.service === service) };
    } catch {
      throw new ProblemError('unavailable', 'Not every service could count its records of the organisation.', {
        retryAfterSeconds: 5,
      });
    }
  }
}
