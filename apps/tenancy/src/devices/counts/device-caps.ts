import { asService, ProblemError } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { DeviceCountsRepository } from './device-counts.repository.ts';

interface Place {
  readonly partnerId: string;
  readonly orgId: string;
}

/**
 * Rejects a device that would exceed the cap of the organisation or of its partner. A device that moves within the
 * partner already counts there.
 */
export async function requireBelowCaps(
  counts: DeviceCountsRepository,
  tx: Tx,
  { partnerId, orgId }: Place,
  comesFrom: 'outside' | 'same-partner',
): Promise<void> {
  const caps = await counts.caps(tx, orgId);
  const partnerCap = comesFrom === 'outside' ? (caps?.ofPartner ?? null) : null;
  const organizationCap = caps?.ofOrganization ?? null;
  if (partnerCap === null && organizationCap === null) return;
  await counts.lockCounters(tx, partnerId);
  await requireBelow(organizationCap, () => counts.inServiceOfOrganization(tx, orgId));
  await requireBelow(partnerCap, () => counts.inServiceOfPartner(tx, partnerId));
}

async function requireBelow(cap: number | null, count: () => Promise<number>): Promise<void> {
  if (cap !== null && (await count()) >= cap)
    throw new ProblemError('device_limit_reached', 'The device limit has been reached.', { limit: cap });
}

const EVERY_MS = 15_000;

/** Keeps exact device totals, so that lists need not count rows. */
@Injectable()
export class SumDeviceCounts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceCountsRepository: DeviceCountsRepository,
  ) {}

  /** Several replicas may run this concurrently. */
  @Every(EVERY_MS, 'device-counts')
  async sum(): Promise<void> {
    await this.work.background(asService('tenancy'), (tx) => this.deviceCountsRepository.sumUp(tx));
  }
}
