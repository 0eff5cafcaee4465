import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import type { TechnicianState } from '@gatehouse/contracts-identity';
import { RulebookChanged, type RulebookChange } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { ServiceConfig, type ServiceDefinition } from '@gatehouse/service';
import { TestService } from '@gatehouse/testing';
import {
  AgentUninstallRequested,
  DeviceChanged,
  type DeviceState,
  OrganizationChanged,
  PartnerChanged,
  SiteChanged,
} from '@gatehouse/contracts-tenancy';
import { TechnicianChanged } from '@gatehouse/contracts-identity';
import { PushReachChanged } from '@gatehouse/contracts-pam';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { poolOf } from '@gatehouse/database';
import { Module } from '@nestjs/common';
import { IsString } from 'class-validator';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { BatchConnections } from './reports/batch-connections.repository.ts';
import {
  bumpRulebook,
  CommandFeed,
  ElevationCountsRepository,
  pamDatabase,
  PamReadModelsModule,
  RulebookRepository,
  UninstallModule,
} from './index.ts';

describe('the store of privileged access', () => {
  let service: TestService<StoreConfig>;
  beforeAll(async () => {
    service = await TestService.start(definition);
  });
  afterAll(() => service.stop());

  describe('read models', () => {
    it('keep the newest state of a device, whatever order its events come in', async () => {
      await service.deliver(DeviceChanged, device);
      await service.deliver(DeviceChanged, { ...device, hostname: 'old', agentTokenHash: 'b'.repeat(64), version: 2 });
      expect(
        await service.sql(
          'SELECT hostname, agent_token_hash, group_ids, version FROM device_ref WHERE device_id = $1',
          [deviceId],
        ),
      ).toEqual([{ hostname: 'pc-1', agent_token_hash: 'a'.repeat(64), group_ids: device.groupIds, version: 3 }]);
      await service.deliver(DeviceChanged, { ...device, hostname: 'new', version: 4 });
      expect(await service.sql('SELECT hostname FROM device_ref WHERE device_id = $1', [deviceId])).toEqual([
        { hostname: 'new' },
      ]);
    });

    it('keep partners, organisations, sites and what a push can reach', async () => {
      await service.deliver(PartnerChanged, {
        partnerId,
        name: 'P',
        slug: 'p',
        status: 'active',
        deleted: false,
        version: 1,
      });
      await service.deliver(OrganizationChanged, {
        orgId,
        partnerId,
        name: 'O',
        status: 'archived',
        deleted: false,
        mergedIntoId: null,
        version: 1,
      });
      await service.deliver(SiteChanged, { siteId, orgId, partnerId, name: 'S', deleted: false, version: 1 });
      const userId = newId();
      await service.deliver(PushReachChanged, { userId, subscriptions: 2, version: 1 });
      expect(
        await service.sql(
          `SELECT p.status AS partner, o.status AS org, s.name AS site FROM partner_ref p JOIN org_ref o
            USING (partner_id) JOIN site_ref s USING (org_id) WHERE p.partner_id = $1`,
          [partnerId],
        ),
      ).toEqual([{ partner: 'active', org: 'archived', site: 'S' }]);
      expect(await service.sql('SELECT subscriptions FROM push_reach WHERE user_id = $1', [userId])).toEqual([
        { subscriptions: 2 },
      ]);
    });

    it('replace a technician’s reach as a whole, and keep it when an older state comes', async () => {
      const reach = {
        level: 'organization' as const,
        partnerId,
        allOrgs: false,
        orgIds: [orgId],
        siteIds: [siteId],
        permissions: ['devices:execute' as const],
      };
      const state: TechnicianState = {
        userId: newId(),
        name: 'Ann',
        email: 'ann@example.test',
        active: true,
        reaches: [reach, { ...reach, level: 'partner', allOrgs: true }],
        version: 2,
      };
      const levels = () =>
        service.sql('SELECT level FROM technician_reach WHERE user_id = $1 ORDER BY position', [state.userId]);
      await service.deliver(TechnicianChanged, state);
      expect(await levels()).toEqual([{ level: 'organization' }, { level: 'partner' }]);
      await service.deliver(TechnicianChanged, { ...state, reaches: [], version: 1 });
      expect(await levels()).toHaveLength(2);
      await service.deliver(TechnicianChanged, { ...state, reaches: [reach], version: 3 });
      expect(await levels()).toEqual([{ level: 'organization' }]);
    });

    it('keep nothing of an organisation that is purged, though late events still tell of it', async () => {
      const org = { orgId: newId(), partnerId, name: 'Purged', mergedIntoId: null };
      const [late, lateSite, userId] = [newId(), newId(), newId()];
      const reach = {
        level: 'partner' as const,
        partnerId,
        allOrgs: false,
        orgIds: [orgId, org.orgId],
        siteIds: [],
        permissions: [],
      };
      await service.deliver(TechnicianChanged, {
        userId,
        name: 'Ann',
        email: 'ann@example.test',
        active: true,
        reaches: [reach],
        version: 1,
      });
      await service.deliver(OrganizationChanged, { ...org, status: 'purging', deleted: false, version: 2 });
      await service.deliver(DeviceChanged, { ...device, deviceId: late, orgId: org.orgId });
      await service.deliver(OrganizationChanged, { ...org, status: 'purging', deleted: true, version: 3 });
      await service.deliver(SiteChanged, {
        siteId: lateSite,
        orgId: org.orgId,
        partnerId,
        name: 'S',
        deleted: false,
        version: 9,
      });
      expect(
        await service.sql(
          `SELECT device_id AS id FROM device_ref WHERE org_id = $1 UNION ALL SELECT site_id FROM site_ref
            WHERE org_id = $1`,
          [org.orgId],
        ),
      ).toEqual([]);
      expect(await service.sql('SELECT org_ids FROM technician_reach WHERE user_id = $1', [userId])).toEqual([
        { org_ids: [orgId] },
      ]);
    });

    it('queue an uninstall command when an organisation’s agents are to go', async () => {
      await service.deliver(AgentUninstallRequested, { deviceId, orgId, partnerId });
      expect(
        await service.sql('SELECT type, status, payload FROM device_commands WHERE device_id = $1', [deviceId]),
      ).toEqual([{ type: 'uninstall', status: 'queued', payload: {} }]);
    });

    it('withdraw it when the organisation is restored before the agent has heard it, save for a decommissioned device', async () => {
      const org = { orgId: newId(), partnerId, name: 'Restored', deleted: false, mergedIntoId: null };
      const device = { ...org, siteId, groupIds: [], hostname: 'pc', agentTokenHash: null, version: 1 };
      const [kept, gone] = [newId(), newId()];
      await service.deliver(DeviceChanged, { ...device, deviceId: kept, status: 'offline' });
      await service.deliver(DeviceChanged, { ...device, deviceId: gone, status: 'decommissioned' });
      for (const deviceId of [kept, gone])
        await service.deliver(AgentUninstallRequested, { deviceId, orgId: org.orgId, partnerId });
      const told = () =>
        service.sql('SELECT device_id AS id FROM device_commands WHERE org_id = $1 ORDER BY created_at', [org.orgId]);
      await service.deliver(OrganizationChanged, { ...org, status: 'archived', version: 1 });
      expect(await told()).toHaveLength(2);
      await service.deliver(OrganizationChanged, { ...org, status: 'active', version: 2 });
      expect(await told()).toEqual([{ id: gone }]);
    });

    it('tell no agent to go because of an archive that was undone, nor let it stay because of a restore before the last archive, whatever order events come in', async () => {
      const org = { orgId: newId(), partnerId, name: 'Twice', deleted: false, mergedIntoId: null };
      const uninstall = (orgVersion: number) =>
        service.deliver(AgentUninstallRequested, { deviceId: newId(), orgId: org.orgId, partnerId, orgVersion });
      const told = () => service.sql('SELECT FROM device_commands WHERE org_id = $1', [org.orgId]);
      await service.deliver(OrganizationChanged, { ...org, status: 'active', version: 3 });
      await uninstall(2);
      expect(await told()).toHaveLength(0);
      await uninstall(4);
      await service.deliver(OrganizationChanged, { ...org, status: 'archived', version: 4 });
      await service.deliver(OrganizationChanged, { ...org, status: 'active', version: 3 });
      expect(await told()).toHaveLength(1);
      await service.deliver(OrganizationChanged, { ...org, status: 'suspended', version: 6 });
      expect(await told()).toHaveLength(0);
    });

    it('tell no agent to go when another replica takes in the restore at the same time', async () => {
      const org = { orgId: newId(), partnerId, name: 'Both', deleted: false, mergedIntoId: null };
      await service.deliver(OrganizationChanged, { ...org, status: 'archived', version: 2 });
      const elsewhere = new pg.Client({ connectionString: service.database?.ownerUrl });
      await elsewhere.connect();
      await elsewhere.query(
        `BEGIN; SELECT set_config('app.system', 'on', true); UPDATE org_ref SET status = 'active', version = 3
          WHERE org_id = '${org.orgId}'`,
      );
      const queued = service.deliver(AgentUninstallRequested, {
        deviceId: newId(),
        orgId: org.orgId,
        partnerId,
        orgVersion: 2,
      });
      await Promise.race([queued, pause(300)]);
      await elsewhere.query('COMMIT');
      await Promise.all([queued, elsewhere.end()]);
      expect(await service.sql('SELECT FROM device_commands WHERE org_id = $1', [org.orgId])).toHaveLength(0);
    });

    const [partnerId, orgId, siteId, deviceId] = [newId(), newId(), newId(), newId()];
    const device: DeviceState = {
      deviceId,
      partnerId,
      orgId,
      siteId,
      groupIds: [newId()],
      hostname: 'pc-1',
      status: 'online',
      agentTokenHash: 'a'.repeat(64),
      deleted: false,
      version: 3,
    };
  });

  describe('totals of requests', () => {
    it('follow each insert, move and delete, before and after they are summed up', async () => {
      await insert(one, 'pending', 5);
      await insert(two, 'denied', 3);
      expect([
        await total('all'),
        await total(new Set([one])),
        await total('all', { statuses: ['denied'] }),
        await total('all', { flowType: 'tech_jit_admin' }),
      ]).toEqual([8, 5, 3, 0]);
      await store().background(asService('pam'), (tx) => counts.sumUp(tx));
      expect(await service.sql('SELECT FROM elevation_count_deltas WHERE partner_id = $1', [partnerId])).toEqual([]);
      await service.sql(
        `UPDATE elevation_requests SET status = 'approved'
          WHERE id IN (SELECT id FROM elevation_requests WHERE org_id = $1 LIMIT 2)`,
        [one],
      );
      await service.sql(`DELETE FROM elevation_requests WHERE org_id = $1`, [two]);
      const now = async () => [
        await total('all'),
        await total('all', { statuses: ['pending'] }),
        await total('all', { statuses: ['approved'] }),
        await total('all', { statuses: ['denied'] }),
      ];
      expect(await now()).toEqual([5, 3, 2, 0]);
      await Promise.all([1, 2, 3].map(() => store().background(asService('pam'), (tx) => counts.sumUp(tx))));
      expect(await now()).toEqual([5, 3, 2, 0]);
    });

    it('say nothing to a caller who is confined to sites', async () => {
      expect(
        await store().backgroundRead(asService('pam'), (reader) =>
          counts.total(reader, { partner: partnerId, orgs: 'all', sites: new Set() }),
        ),
      ).toBeNull();
    });

    const counts = new ElevationCountsRepository();
    const [partnerId, one, two] = [newId(), newId(), newId()];
    const store = () => {
      const { work } = service.service.platform.store ?? {};
      if (!work) throw new Error('no store');
      return work;
    };
    const total = (orgs: 'all' | ReadonlySet<string>, filter = {}) =>
      store().backgroundRead(asService('pam'), (reader) =>
        counts.total(reader, { partner: partnerId, orgs, sites: 'all' }, filter),
      );
    const insert = (orgId: string, status: string, many: number) =>
      service.sql(
        `
      INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, status,
        pending_until, expires_at)
      SELECT gen_random_uuid(), $1, $2, $2, 'pc', 'uac_intercept', $3, now(), now() FROM generate_series(1, $4)`,
        [partnerId, orgId, status, many],
      );
  });

  describe('rulebook versions', () => {
    it('grow with each change of an organisation, and say so', async () => {
      const [partnerId, orgId] = [newId(), newId()];
      expect(await versionOf(orgId)).toBeNull();
      await bump(partnerId, orgId);
      await bump(partnerId, orgId);
      expect([await versionOf(orgId), await eventsFor(orgId)]).toEqual([3, [2, 3]]);
    });

    it('grow for every organisation of a partner whose policy changed, and for no other', async () => {
      const [partnerId, one, two, foreign] = [newId(), newId(), newId(), newId()];
      for (const orgId of [one, two])
        await work().background(asService('pam'), (tx) => rulebooks.begin(tx, { orgId, partnerId }));
      await work().background(asService('pam'), (tx) => rulebooks.begin(tx, { orgId: foreign, partnerId: newId() }));
      await bump(partnerId, null);
      expect(await Promise.all([one, two, foreign].map(versionOf))).toEqual([2, 2, 1]);
    });

    it('of a partner and of its organisations grow at the same time, and none has to begin anew', async () => {
      const [partnerId, one, two] = [newId(), newId(), newId()];
      for (const orgId of [one, two])
        await work().background(asService('pam'), (tx) => rulebooks.begin(tx, { orgId, partnerId }));
      const begun: (string | null)[] = [];
      const counted = (orgId: string | null) =>
        work().background(asService('pam'), (tx) => {
          begun.push(orgId);
          return bumpRulebook(tx, { partnerId, orgId }, NO_PARTS);
        });
      const behind: Promise<void>[] = [];
      const waiting = async (many: number): Promise<void> => {
        while (
          (
            await service.sql(
              `SELECT FROM pg_stat_activity WHERE datname = current_database()
                AND cardinality(pg_blocking_pids(pid)) > 0`,
            )
          ).length < many
        )
          await pause(20);
      };
      await work().background(asService('pam'), async (tx) => {
        await bumpRulebook(tx, { partnerId, orgId: one }, NO_PARTS);
        for (const [before, orgId] of [null, two].entries()) {
          behind.push(counted(orgId));
          await waiting(before + 1);
        }
      });
      await Promise.all(behind);
      expect(begun).toEqual([null, two]);
      expect(await Promise.all([one, two].map(versionOf))).toEqual([3, 3]);
    });

    it('PAM-102 remembers each state of a part, and when each version began', async () => {
      const [partnerId, orgId, editedBy] = [newId(), newId(), newId()];
      const save = (verdict: string | null) =>
        work().background(asService('pam'), async (tx) => {
          if (verdict === null) await tx.query('DELETE FROM pam_config WHERE org_id = $1', [orgId]);
          else
            await tx.query(
              `INSERT INTO pam_config AS c (org_id, partner_id, default_unmatched_verdict) VALUES ($1, $2, $3)
                ON CONFLICT (org_id) DO UPDATE SET default_unmatched_verdict = $3`,
              [orgId, partnerId, verdict],
            );
          await bumpRulebook(tx, { partnerId, orgId }, { kind: 'config', ids: [orgId], editedBy });
        });
      await work().background(asService('pam'), (tx) => rulebooks.begin(tx, { orgId, partnerId }));
      for (const verdict of ['auto_deny', 'require_approval', null]) await save(verdict);
      const at = await service.sql(
        `SELECT i.version::int AS version, p.value->>'default_unmatched_verdict' AS verdict, p.edited_by AS editor
          FROM rulebook_instants i
          LEFT JOIN rulebook_parts p ON p.org_id = i.org_id AND p.valid_from <= i.at AND i.at < p.valid_to
            WHERE i.org_id = $1 ORDER BY i.version`,
        [orgId],
      );
      expect(at).toEqual([
        { version: 1, verdict: null, editor: null },
        { version: 2, verdict: 'auto_deny', editor: editedBy },
        { version: 3, verdict: 'require_approval', editor: editedBy },
        { version: 4, verdict: null, editor: null },
      ]);
    });

    it("R-62: a change of one partner's rulebooks delays no other partner", async () => {
      const [partnerId, other, orgId] = [newId(), newId(), newId()];
      await work().background(asService('pam'), async (tx) => {
        await bumpRulebook(tx, { partnerId, orgId: null }, NO_PARTS);
        await work().background(asService('pam'), (second) => rulebooks.begin(second, { orgId, partnerId: other }));
        await bump(other, orgId);
        await bump(other, null);
      });
      expect(await versionOf(orgId)).toBe(3);
    });

    it('wait for an organisation whose first version is just being written', async () => {
      const [partnerId, orgId] = [newId(), newId()];
      let bumped: Promise<void> = Promise.resolve();
      await work().background(asService('pam'), async (tx) => {
        await rulebooks.begin(tx, { orgId, partnerId });
        bumped = bump(partnerId, null);
        await tx.query('SELECT pg_sleep(0.2)');
      });
      await bumped;
      expect(await versionOf(orgId)).toBe(2);
    });

    it('come with everything that decides, in its order', async () => {
      const [partnerId, orgId, group] = [newId(), newId(), newId()];
      await bump(partnerId, orgId);
      await service.sql(
        'INSERT INTO signer_groups (id, partner_id, org_id, name, signers) VALUES ($1, $2, $3, $4, $5)',
        [group, partnerId, orgId, 'g', ['Acme']],
      );
      await service.sql(
        `INSERT INTO pam_rules (id, partner_id, org_id, name, verdict, priority, enabled, match_signer_group_id,
          time_window, match_negate) VALUES
        ($1, $4, $5, 'late', 'ignore', 200, true, $6, NULL, NULL),
          ($2, $4, $5, 'early', 'auto_deny', 1, true, $6, '{"start":"09:00","end":"17:00"}', '{signerGroup}'),
          ($3, $4, $5, 'off', 'auto_deny', 0, false, $6, NULL, NULL)`,
        [newId(), newId(), newId(), partnerId, orgId, group],
      );
      const book = await work().backgroundRead(asService('pam'), (reader) => rulebooks.load(reader, orgId));
      expect(book?.rules.map(({ name, matchNegate, timeWindow }) => [name, matchNegate, timeWindow])).toEqual([
        ['early', ['signerGroup'], { start: '09:00', end: '17:00' }],
        ['late', null, null],
      ]);
      expect([book?.signerGroups.get(group), book?.defaultVerdict, book?.defaultApprovalMinutes]).toEqual([
        ['Acme'],
        'require_approval',
        15,
      ]);
    });

    const NO_PARTS = { kind: 'rule', ids: [], editedBy: null } as const;
    const bump = (partnerId: string, orgId: string | null) =>
      work().background(asService('pam'), (tx) => bumpRulebook(tx, { partnerId, orgId }, NO_PARTS));
    const rulebooks = new RulebookRepository();
    const versionOf = async (orgId: string) =>
      (await work().backgroundRead(asService('pam'), (reader) => rulebooks.load(reader, orgId)))?.version ?? null;
    const eventsFor = async (orgId: string) =>
      (await service.emitted(RulebookChanged))
        .filter(({ data }: EventEnvelope<RulebookChange>) => data.orgId === orgId)
        .map(({ data }) => data.version);
  });

  describe('connections of their own', () => {
    it('are given back by a feed of commands that is stopped while it connects', async () => {
      const feed = new CommandFeed(store().connections, () => undefined);
      const starting = feed.start();
      feed.stop();
      await starting;
      expect([feed.session, inUse()]).toEqual([null, 0]);
    });

    it('are given back by a batch whose tenant cannot be set', async () => {
      const batches = new BatchConnections(store().connections);
      const scope = { partner: '\0', orgs: 'all', sites: 'all' } as const;
      await expect(batches.run(scope, () => Promise.resolve())).rejects.toThrow();
      expect(inUse()).toBe(0);
    });

    const inUse = (): number => {
      const pool = poolOf(store().requests);
      return pool ? pool.totalCount - pool.idleCount : NaN;
    };
  });

  const store = () => {
    const { store: found } = service.service.platform;
    if (!found) throw new Error('no store');
    return found;
  };
  const work = () => store().work;
});

@Module({ imports: [PamReadModelsModule, UninstallModule] })
class ConsumersModule {}

class StoreConfig extends ServiceConfig {
  @IsString() databaseUrlPam!: string;
}
const definition: ServiceDefinition<StoreConfig> = {
  name: 'pam',
  config: StoreConfig,
  module: ConsumersModule,
  database: { definition: pamDatabase, url: (config) => config.databaseUrlPam },
};
