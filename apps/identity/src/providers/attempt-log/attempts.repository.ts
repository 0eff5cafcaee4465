import { offsetOf, type Page, type TenantScope } from '@gatehouse/contracts-core';
import type {
  AttemptCode,
  AttemptKind,
  AttemptRecord,
  AttemptResult,
  ListAttemptsQuery,
  SsoProtocol,
} from '@gatehouse/contracts-identity';
import { type Conditions, type Reader, toSnake, type Tx } from '@gatehouse/database';
import { foldEmail } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { livingWithin } from '../../tenants/tenant-refs/tenant-refs.repository.ts';

const UUID = { type: 'uuid', nullable: true } as const;
const TEXT = { type: 'text', nullable: true } as const;

/** A sign-in, a linking or a test through a provider that has ended. */
@Entity('sso_attempts')
export class AttemptEntity {
  /** The reference on the sign-in page. */
  @PrimaryColumn('uuid') id!: string;
  @Column(UUID) partnerId!: string | null;
  @Column(UUID) orgId!: string | null;
  @Column(UUID) providerId!: string | null;
  @Column(TEXT) providerName!: string | null;
  @Column('text') kind!: AttemptKind;
  @Column('text') protocol!: SsoProtocol;
  @Column('text') result!: AttemptResult;
  @Column(TEXT) code!: AttemptCode | null;
  @Column(TEXT) email!: string | null;
  @Column(UUID) userId!: string | null;
  @Column(TEXT) ip!: string | null;
  @Column(TEXT) userAgent!: string | null;
  @Column(TEXT) requestId!: string | null;
  @Column('integer', { nullable: true }) configVersion!: number | null;
  @Column('text') traceSealed!: string;
  /** The set-up link whose visitor began the test. */
  @Column(UUID) setupLinkId!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}

export interface WantedAttempt {
  readonly id: string;
  readonly kind?: AttemptKind;
  readonly setupLinkId?: string | null;
}

export type NewAttempt = Omit<AttemptEntity, 'createdAt'>;

const COLUMNS = `a.id, a.provider_id, a.provider_name, a.org_id, a.partner_id, a.kind, a.protocol, a.result,
  a.code, a.email,
  a.user_id, a.ip, a.user_agent, a.request_id, a.config_version, a.created_at`;
const RECORD = 'SELECT record_sso_attempt($1::jsonb) AS fault';
const TESTS_OF_LINK = `
  SELECT a.id, a.trace_sealed FROM sso_attempts a
   WHERE a.setup_link_id = $1 AND a.provider_id = $2 AND a.config_version = $3 ORDER BY a.id DESC LIMIT 20`;
const DELETE_OLD = `
  WITH old AS (SELECT id FROM sso_attempts WHERE created_at < now() - make_interval(days => $1) LIMIT 5000)
  DELETE FROM sso_attempts a USING old WHERE a.id = old.id RETURNING a.id`;

/** The argument of the database's `record_sso_attempt`. */
export const attemptRow = (attempt: NewAttempt): string =>
  JSON.stringify(Object.fromEntries(Object.entries(attempt).map(([name, value]) => [toSnake(name), value])));

type Row = Omit<AttemptRecord, 'createdAt'> & { readonly createdAt: Date };
const recordOf = ({ createdAt, ...row }: Row): AttemptRecord => ({ ...row, createdAt: createdAt.toISOString() });

/** The rows of organisations in reach; those of the partner's own providers for callers who reach the whole partner. */
const withinReach = (scope: TenantScope): Conditions =>
  livingWithin(scope, { partner: 'a.partner_id', org: 'a.org_id' });

function filtered(scope: TenantScope, query: ListAttemptsQuery): Conditions {
  const found = withinReach(scope)
    .add('a.org_id = ?::uuid', query.orgId)
    .add('a.provider_id = ?::uuid', query.providerId)
    .add('a.kind = ?', query.kind)
    .add('a.result = ?', query.result)
    .add('a.code = ?', query.code)
    .add('a.email = ?', query.email === undefined ? undefined : foldEmail(query.email))
    .add('a.ip = ?', query.ip)
    .add('a.created_at >= ?::timestamptz', query.from)
    .add('a.created_at < ?::timestamptz', query.to);
  if (query.scope === 'partner') found.raw('a.org_id IS NULL AND a.partner_id IS NOT NULL');
  if (query.scope === 'organization') found.raw('a.org_id IS NOT NULL');
  return found;
}

interface Owned {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string | null;
}

interface SealedTrace {
  readonly id: string;
  readonly traceSealed: string;
}

const MAX_NEWEST = 10;

@Injectable()
export class AttemptsRepository {
  /** @returns why the row was not written, or null; the transaction goes on in either case */
  async record(tx: Tx, row: string): Promise<string | null> {
    return (await tx.one<{ fault: string | null }>(RECORD, [row]))?.fault ?? null;
  }

  async list(reader: Reader, scope: TenantScope, query: ListAttemptsQuery): Promise<Page<AttemptRecord>> {
    const found = filtered(scope, query);
    const counted = await reader.queryAfresh<{ total: number }>(
      `SELECT count(*) AS total FROM sso_attempts a ${found.where}`,
      found.parameters,
    );
    const limits = `LIMIT ${found.bind(query.limit)} OFFSET ${found.bind(offsetOf(query))}`;
    const rows = await reader.queryAfresh<Row>(
      `SELECT ${COLUMNS} FROM sso_attempts a ${found.where} ORDER BY a.id DESC ${limits}`,
      found.parameters,
    );
    return { rows: rows.map(recordOf), total: counted[0]?.total ?? 0 };
  }

  async find(
    reader: Reader,
    scope: TenantScope,
    { id, kind, setupLinkId }: WantedAttempt,
  ): Promise<{ readonly attempt: AttemptRecord; readonly traceSealed: string } | null> {
    const found = withinReach(scope)
      .add('a.id = ?::uuid', id)
      .add('a.kind = ?', kind)
      .add('a.setup_link_id = ?::uuid', setupLinkId ?? undefined);
    const row = await reader.one<Row & { traceSealed: string }>(
      `SELECT ${COLUMNS}, a.trace_sealed FROM sso_attempts a ${found.where}`,
      found.parameters,
    );
    if (!row) return null;
    const { traceSealed, ...attempt } = row;
    return { attempt: recordOf(attempt), traceSealed };
  }

  /** The newest tests of a set-up link in one generation of the provider's configuration. */
  async testsOfLink(
    reader: Reader,
    setupLinkId: string,
    { id, configVersion }: { readonly id: string; readonly configVersion: number },
  ): Promise<readonly { readonly id: string; readonly traceSealed: string }[]> {
    return reader.query(TESTS_OF_LINK, [setupLinkId, id, configVersion]);
  }

  /** The newest attempts at a provider with their sealed steps. */
  newestOf(reader: Reader, { id, partnerId, orgId }: Owned): Promise<SealedTrace[]> {
    const owner = orgId === null ? 'a.partner_id' : 'a.org_id';
    return reader.query<SealedTrace>(
      `SELECT a.id, a.trace_sealed FROM sso_attempts a WHERE ${owner} = $1 AND a.provider_id = $2
        ORDER BY a.id DESC LIMIT ${MAX_NEWEST}`,
      [orgId ?? partnerId, id],
    );
  }

  /** Deletes a batch of the attempts that are older than `days`. @returns how many */
  async deleteOld(tx: Tx, days: number): Promise<number> {
    return (await tx.query(DELETE_OLD, [days])).length;
  }
}
