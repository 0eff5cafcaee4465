import type { AuditRecord, EventEnvelope } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { startTestBroker, type TestBroker, TestService, until } from '@gatehouse/testing';
import { auditService } from '../src/service.ts';

export const aRecord = (overrides: Partial<AuditRecord> = {}): AuditRecord => ({
  id: newId(),
  timestamp: new Date().toISOString(),
  partnerId: null,
  orgId: null,
  siteId: null,
  actor: { type: 'user', id: newId(), name: 'Ada' },
  action: 'site.create',
  resource: { type: 'site', id: newId(), name: 'HQ' },
  result: 'success',
  details: { changedFields: ['name'], ratio: 0.1 },
  ip: '203.0.113.5',
  userAgent: 'test',
  requestId: newId(),
  ...overrides,
});

export const envelopeOf = (record: AuditRecord): EventEnvelope<AuditRecord> => ({
  id: newId(),
  subject: 'audit.identity',
  occurredAt: record.timestamp,
  source: 'identity',
  aggregateId: record.partnerId ?? 'system',
  actor: record.actor,
  traceparent: null,
  data: record,
});

const TIMEOUT_MS = 50_000;

/** The audit service on a broker of its own, to which the suite speaks as the other services do. */
export class AuditHarness {
  private constructor(
    readonly service: TestService,
    readonly broker: TestBroker,
    readonly others: EventBus,
  ) {}

  static async start(): Promise<AuditHarness> {
    const broker = await startTestBroker();
    const service = await TestService.start(auditService, { natsUrl: broker.url });
    await service.service.platform.bus.whenReady();
    const others = new EventBus({ url: broker.urlOf('identity'), name: 'identity', log: service.service.platform.log });
    others.start();
    await others.whenReady();
    return new AuditHarness(service, broker, others);
  }

  async publish(
    envelopes: readonly EventEnvelope<AuditRecord>[],
    ids: readonly string[] = envelopes.map(({ id }) => id),
  ): Promise<void> {
    for (let at = 0; at < envelopes.length; at += 500) {
      await this.others.publish(
        envelopes.slice(at, at + 500).map((body, index) => ({
          id: ids[at + index] ?? body.id,
          subject: body.subject,
          json: JSON.stringify(body),
        })),
      );
    }
  }

  /** Publishes records and waits until the log holds them. */
  async record(...records: AuditRecord[]): Promise<void> {
    await this.publish(records.map(envelopeOf));
    await this.arrived(records.length, 'WHERE id = ANY ($1)', [records.map(({ id }) => id)]);
  }

  /** Waits until the log holds as many entries. */
  until(count: number, timeoutMs?: number): Promise<void> {
    return this.arrived(count, '', [], timeoutMs);
  }

  private arrived(count: number, which: string, parameters: unknown[], timeoutMs = TIMEOUT_MS): Promise<void> {
    const sql = `SELECT count(*)::int AS count FROM audit_entries ${which}`;
    const entries = () => this.service.sql<{ count: number }>(sql, parameters);
    return until(async () => ((await entries())[0]?.count ?? 0) >= count, timeoutMs / 1000);
  }

  /** What a superuser can do who also silences the triggers. */
  async tamper(statement: string): Promise<void> {
    await this.service.sql(`BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`);
  }

  /** Gives a partner a chain of large entries, 4 KB each. */
  async fill(partner: string, entries: number): Promise<void> {
    await this.tamper(`INSERT INTO chains VALUES ('${partner}', '${partner}', ${entries}, repeat('1', 64), ${entries});
      INSERT INTO audit_entries (id, chain, sequence, timestamp, partner_id, actor_type, actor_id, actor_name, action,
        resource_type, resource_name, result, details, ip, user_agent, request_id, previous_hash, hash)
      SELECT gen_random_uuid(), '${partner}', n, now(), '${partner}', 'user', 'u', 'Ada', 'site.create', 'site', 'HQ',
        'success', jsonb_build_object('note', repeat('x', 4000)), '203.0.113.5', 'test', 'r', repeat('0', 64),
        repeat('1', 64) FROM generate_series(1, ${entries}) n`);
  }

  async stop(): Promise<void> {
    await this.others.close();
    await this.service.stop();
    await this.broker.stop();
  }
}
