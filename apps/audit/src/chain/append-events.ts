import type { AuditRecord, EventEnvelope } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { ConsumesAll } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { SignCheckpoints } from '../checkpoints/sign-checkpoints.ts';
import { ChainsRepository } from './chains.repository.ts';
import { chainOf, link } from './link.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Appends what every service audited to the chain of its partner. */
@Injectable()
export class AppendEvents {
  constructor(
    private readonly chains: ChainsRepository,
    private readonly checkpoints: SignCheckpoints,
  ) {}

  @ConsumesAll('audit.>')
  async append(tx: Tx, events: EventEnvelope<AuditRecord>[]): Promise<void> {
    const records = events.map(recordOf);
    // Always in the same order, so that two batches never wait for each other.
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

/** @throws Error for what is no audit record: it is buried as a dead letter and holds up nothing else */
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
