import type { AuditRecord, EventEnvelope } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { ConsumesAll } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { SignCheckpoints } from '../checkpoints/sign-checkpoints.ts';
import { ChainsRepository } from '../chain/chains.repository.ts';
import { chainOf, link } from '../chain/link.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Appends the audit records of every service to the chain of the record's partner. */
@Injectable()
export class AppendEvents {
  constructor(
    private readonly chains: ChainsRepository,
    private readonly checkpoints: SignCheckpoints,
  ) {}

  @ConsumesAll('audit.>')
  async append(tx: Tx, events: EventEnvelope<AuditRecord>[]): Promise<void> {
    const records = events.map(recordOf);
    // Chains are locked in name order, so that two batches cannot deadlock.
    for (const name of [...new Set(records.map(chainOf))].sort()) {
      const chain = await this.chains.lock(tx, name);
      const { entries, end } = link(
        chain,
        records.filter((record) => chainOf(record) === name),
      );
      await this.chains.append(tx, name, entries, end);
      await this.checkpoints.afterAppending(tx, { ...chain, ...end });
    }
  }
}

const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);
const hasMembers = ({ actor, action, resource, result, details }: AuditRecord): boolean =>
  [actor?.type, action, resource?.type, result, details].every(Boolean);

/** @throws Error for data that is not an audit record; the event becomes a dead letter and does not block others */
function recordOf({ data }: EventEnvelope<AuditRecord>): AuditRecord {
  const { id, timestamp, partnerId } = data;
  if (
    !isUuid(id) ||
    Number.isNaN(Date.parse(timestamp)) ||
    (partnerId !== null && !isUuid(partnerId)) ||
    !hasMembers(data)
  )
    throw new Error('not an audit record');
  return data;
}
