import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  SetupLinkRecord,
  SetupLinkStatus,
  SetupPurpose,
  SetupVisitRecord,
  SsoProtocol,
} from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Conditions, type Reader, type Tx } from '@gatehouse/database';
import type { Owner } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { standsOn } from '../sessions/sessions.repository.ts';
import { livingWithin, ofOpenOwner } from '../tenants/tenant-refs/tenant-refs.repository.ts';

const UUID = { type: 'uuid', nullable: true } as const;
const TEXT = { type: 'text', nullable: true } as const;
const TIME = { type: 'timestamptz', nullable: true } as const;
const NOW = { type: 'timestamptz', default: () => 'now()' } as const;

/** A link with which an administrator without an account sets up single sign-on. */
@Entity('sso_setup_links')
export class SetupLinkEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column(UUID) orgId!: string | null;
  @Column(UUID) providerId!: string | null;
  @Column('text') tokenHash!: string;
  @Column('text') purpose!: SetupPurpose;
  @Column(TEXT) type!: SsoProtocol | null;
  @Column(TEXT) preset!: string | null;
  @Column(TEXT) recipientEmail!: string | null;
  @Column('boolean') mayActivate!: boolean;
  @Column(UUID) defaultRoleId!: string | null;
  @Column('boolean') autoProvision!: boolean;
  /** The mailed code that the next visit must show. */
  @Column(TEXT) codeMac!: string | null;
  @Column(TIME) codeExpiresAt!: Date | null;
  @Column('integer', { default: () => '0' }) codeMisses!: number;
  @Column('timestamptz', { array: true, default: () => "'{}'" }) codesSentAt!: Date[];
  @Column('uuid') createdBy!: string;
  @Column('uuid') membershipId!: string;
  /** The identity provider whose session made the link, and the identity link by which that was opened. */
  @Column(UUID) rootProviderId!: string | null;
  @Column(UUID) rootLinkId!: string | null;
  @Column(NOW) createdAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
  @Column(TIME) lastOpenedAt!: Date | null;
  @Column(TIME) completedAt!: Date | null;
  @Column(TIME) revokedAt!: Date | null;
}

/** A visit of a set-up link. */
@Entity('sso_setup_visits')
export class SetupVisitEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') linkId!: string;
  @Column('uuid') partnerId!: string;
  @Column(UUID) orgId!: string | null;
  @Column('text') tokenHash!: string;
  @Column(TEXT) ip!: string | null;
  @Column(TEXT) userAgent!: string | null;
  @Column(NOW) openedAt!: Date;
  @Column(NOW) lastSeenAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
}

const STATUS = `CASE WHEN l.completed_at IS NOT NULL THEN 'completed' WHEN l.revoked_at IS NOT NULL THEN 'revoked'
  WHEN l.expires_at <= now() THEN 'expired' ELSE 'open' END`;
const SELECT = `SELECT l.*, ${STATUS} AS status FROM sso_setup_links l`;
const OF_OWNER = 'partner_id = $1 AND org_id IS NOT DISTINCT FROM $2::uuid';
const TENANT = { partner: 'l.partner_id', org: 'l.org_id' };
const USABLE = `${STATUS} = 'open' AND ${standsOn('l.root_provider_id', 'l.root_link_id')} AND ${ofOpenOwner('l')}`;
const BY_TOKEN = `${SELECT} WHERE l.token_hash = $1 AND ${USABLE}`;
const BY_VISIT = `
  SELECT l.*, ${STATUS} AS status, v.id AS visit_id, v.expires_at AS visit_expires_at,
    v.last_seen_at < now() - interval '1 minute' AS is_stale
    FROM sso_setup_visits v JOIN sso_setup_links l ON l.id = v.link_id
   WHERE v.token_hash = $1 AND v.expires_at > now() AND ${USABLE}`;
const LOCK_OWNER = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.setup_links ' || $1))`;
const COUNT_OPEN = `SELECT count(*)::int AS open FROM sso_setup_links l WHERE ${OF_OWNER} AND ${STATUS} = 'open'`;
const MAX_USER_AGENT = 500;
const VISIT_MINUTES = 60;
const OPEN_VISIT = `
  WITH opened AS (UPDATE sso_setup_links SET last_opened_at = now(), code_mac = NULL WHERE id = $2)
  INSERT INTO sso_setup_visits (id, link_id, partner_id, org_id, token_hash, ip, user_agent, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '${VISIT_MINUTES} minutes') RETURNING expires_at`;
const CODE_MINUTES = 10;
const MAX_MISSES = 5;
const MAX_CODES_A_DAY = 3;
/** A code that is new replaces the one before. */
const NEW_CODE = `
  UPDATE sso_setup_links SET code_mac = $2, code_expires_at = now() + interval '${CODE_MINUTES} minutes', code_misses = 0,
         codes_sent_at = (SELECT coalesce(array_agg(sent), '{}') FROM unnest(codes_sent_at) sent
           WHERE sent > now() - interval '1 day') || now()
   WHERE id = $1 AND (SELECT count(*) FROM unnest(codes_sent_at) sent
     WHERE sent > now() - interval '1 day') < ${MAX_CODES_A_DAY} RETURNING id`;
const LIVING_CODE = `SELECT code_mac FROM sso_setup_links
  WHERE id = $1 AND code_expires_at > now() AND code_misses < ${MAX_MISSES} AND code_mac IS NOT NULL FOR UPDATE`;
const MISS = 'UPDATE sso_setup_links SET code_misses = code_misses + 1 WHERE id = $1';
const VISITS = `SELECT id, opened_at, last_seen_at, ip, user_agent FROM sso_setup_visits
  WHERE link_id = $1 ORDER BY id DESC LIMIT 100`;
const TAKE_PROVIDER = `UPDATE sso_setup_links l SET provider_id = $2
  WHERE id = $1 AND provider_id IS NULL AND ${STATUS} = 'open' RETURNING id`;
const HOLD_OPEN = `SELECT FROM sso_setup_links l WHERE id = $1 AND ${STATUS} = 'open' FOR SHARE`;
const NAMES = `SELECT p.name AS partner_name, (SELECT name FROM org_ref WHERE org_id = $2::uuid) AS organization_name
  FROM partner_ref p WHERE p.partner_id = $1`;
const ended = (column: string): string =>
  `UPDATE sso_setup_links l SET ${column} = now() WHERE id = $1 AND ${STATUS} = 'open' RETURNING id`;
const END = { completedAt: ended('completed_at'), revokedAt: ended('revoked_at') };
const REVOKE_OF_ORGANIZATION = `UPDATE sso_setup_links l SET revoked_at = now()
  WHERE org_id = $1 AND ${STATUS} = 'open' RETURNING l.*`;
/** Links stay a year for the record after they have ended; their visits go with them. */
const DELETE_OLD = `DELETE FROM sso_setup_links WHERE id IN (
  SELECT id FROM sso_setup_links WHERE expires_at < now() - interval '1 year' LIMIT 1000)`;

export type SetupLink = SetupLinkEntity & { readonly status: SetupLinkStatus };
export type VisitedLink = SetupLink & { visitId: string; visitExpiresAt: Date; isStale: boolean };
interface TenantNames {
  readonly partnerName: string;
  readonly organizationName: string | null;
}

export type NewLink = Pick<
  SetupLinkEntity,
  'partnerId' | 'orgId' | 'providerId' | 'tokenHash' | 'purpose' | 'type' | 'preset' | 'recipientEmail' | 'mayActivate'
> &
  Pick<SetupLinkEntity, 'defaultRoleId' | 'autoProvision' | 'rootProviderId' | 'rootLinkId'> & {
    readonly hours: number;
  };

export function setupLinkRecordOf(link: SetupLink): SetupLinkRecord {
  const { id, partnerId, orgId, providerId, purpose, type, preset, recipientEmail, mayActivate } = link;
  const { defaultRoleId, autoProvision, status, expiresAt, createdBy, createdAt, lastOpenedAt } = link;
  return {
    id,
    ownerScope: orgId === null ? 'partner' : 'organization',
    orgId,
    partnerId: orgId === null ? partnerId : null,
    providerId,
    purpose,
    type,
    preset,
    recipientEmail,
    mayActivate,
    defaultRoleId,
    autoProvision,
    withProvisioning: false,
    status,
    expiresAt: expiresAt.toISOString(),
    createdBy,
    createdAt: createdAt.toISOString(),
    lastOpenedAt: lastOpenedAt?.toISOString() ?? null,
  };
}

/** Row security, too, shows the links of the partner itself only to callers who reach the whole partner. */
const within = ({ scope }: UserCaller): Conditions => livingWithin(scope, TENANT);

@Injectable()
export class SetupLinksRepository {
  list(
    reader: Reader,
    caller: UserCaller,
    { orgId, scope }: { orgId?: string | undefined; scope?: string | undefined },
  ): Promise<SetupLink[]> {
    const found = within(caller).add('l.org_id = ?::uuid', orgId);
    found.raw(scope === 'partner' ? 'l.org_id IS NULL' : 'l.org_id IS NOT NULL');
    return reader.query<SetupLink>(`${SELECT} ${found.where} ORDER BY l.id DESC LIMIT 100`, found.parameters);
  }

  async get(reader: Reader, caller: UserCaller, id: string): Promise<SetupLink> {
    const found = within(caller).add('l.id = ?::uuid', id);
    const link = await reader.one<SetupLink>(`${SELECT} ${found.where}`, found.parameters);
    if (!link) throw new ProblemError('setup_link_not_found', 'There is no such set-up link.');
    return link;
  }

  async visits(reader: Reader, { id }: SetupLink): Promise<SetupVisitRecord[]> {
    const visits = await reader.query<SetupVisitEntity>(VISITS, [id]);
    return visits.map(({ openedAt, lastSeenAt, ...visit }) => ({
      ...visit,
      openedAt: openedAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    }));
  }

  /** Counts the owner's open links. Links of one owner are made one after another. */
  async countOpen(tx: Tx, { partnerId, orgId }: Owner): Promise<number> {
    await tx.query(LOCK_OWNER, [orgId ?? partnerId]);
    return (await tx.one<{ open: number }>(COUNT_OPEN, [partnerId, orgId]))?.open ?? 0;
  }

  async insert(tx: Tx, caller: UserCaller, { hours, ...link }: NewLink): Promise<SetupLink> {
    const id = newId();
    await tx.manager.insert(SetupLinkEntity, {
      ...link,
      id,
      createdBy: caller.userId,
      membershipId: caller.membershipId,
      expiresAt: () => `now() + interval '${Math.trunc(hours)} hours'`,
    });
    return this.get(tx, caller, id);
  }

  /** @returns false for a link that had ended */
  async end(tx: Tx, { id }: Pick<SetupLink, 'id'>, how: 'completedAt' | 'revokedAt'): Promise<boolean> {
    return (await tx.one(END[how], [id])) !== null;
  }

  /** Revokes the open links of an organisation, also those that are being made. @returns them */
  async revokeOfOrganization(tx: Tx, orgId: string): Promise<SetupLinkEntity[]> {
    await tx.query(LOCK_OWNER, [orgId]);
    return tx.query<SetupLinkEntity>(REVOKE_OF_ORGANIZATION, [orgId]);
  }

  /** @returns null unless the link can be used */
  byToken(reader: Reader, tokenHash: string): Promise<SetupLink | null> {
    return reader.one<SetupLink>(BY_TOKEN, [tokenHash]);
  }

  /** @returns null unless the visit goes on and its link can be used */
  byVisit(reader: Reader, tokenHash: string): Promise<VisitedLink | null> {
    return reader.one<VisitedLink>(BY_VISIT, [tokenHash]);
  }

  async seen(tx: Reader, visitId: string): Promise<void> {
    await tx.query('UPDATE sso_setup_visits SET last_seen_at = now() WHERE id = $1', [visitId]);
  }

  /** @returns whether the link may send another code today */
  async keepCode(tx: Tx, { id }: SetupLink, mac: string): Promise<boolean> {
    return (await tx.one(NEW_CODE, [id, mac])) !== null;
  }

  /** Counts the attempt until {@link openVisit} uses the code up. @returns null without a code that still counts */
  async tryCode(tx: Tx, { id }: SetupLink): Promise<string | null> {
    const code = await tx.one<{ codeMac: string }>(LIVING_CODE, [id]);
    if (code) await tx.query(MISS, [id]);
    return code?.codeMac ?? null;
  }

  async openVisit(tx: Tx, { id, partnerId, orgId }: SetupLink, visitId: string, tokenHash: string): Promise<Date> {
    const { ip, userAgent } = tx.caller.origin;
    const visitor = [ip, userAgent?.slice(0, MAX_USER_AGENT) ?? null];
    const opened = await tx.one<{ expiresAt: Date }>(OPEN_VISIT, [
      visitId,
      id,
      partnerId,
      orgId,
      tokenHash,
      ...visitor,
    ]);
    if (!opened) throw new Error('the visit was not stored');
    return opened.expiresAt;
  }

  /**
   * Holds the link open until the transaction ends. Lock the provider first: the deletion of a provider takes both
   * locks in this order.
   * @throws ProblemError setup_link_invalid when it has ended while the visit was under way
   */
  async holdOpen(tx: Tx, { id }: Pick<SetupLink, 'id'>): Promise<void> {
    if (!(await tx.one(HOLD_OPEN, [id]))) throw new ProblemError('setup_link_invalid', 'This link has ended.');
  }

  /** @throws ProblemError conflict when another visit made a provider first, setup_link_invalid */
  async takeProvider(tx: Tx, link: Pick<SetupLink, 'id'>, providerId: string): Promise<void> {
    if (await tx.one(TAKE_PROVIDER, [link.id, providerId])) return;
    await this.holdOpen(tx, link);
    throw new ProblemError('conflict', 'Another visit has created the provider in the meantime; load it again.');
  }

  async names(reader: Reader, { partnerId, orgId }: Owner): Promise<TenantNames> {
    const names = await reader.one<TenantNames>(NAMES, [partnerId, orgId]);
    return names ?? { partnerName: '', organizationName: null };
  }

  async deleteOld(tx: Tx): Promise<void> {
    await tx.query(DELETE_OLD);
  }
}
