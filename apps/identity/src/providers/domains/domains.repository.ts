import { ProblemError, type TenantScope } from '@gatehouse/contracts-core';
import { onConstraint, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { livingWithin } from '../../tenants/tenant-refs/tenant-refs.repository.ts';

const TIME = { type: 'timestamptz', nullable: true } as const;

/** A mail domain of an organisation; verified by a DNS record. */
@Entity('sso_domains')
export class DomainEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('varchar') domain!: string;
  /** The value that the DNS record must contain. */
  @Column('text') token!: string;
  @Column(TIME) verifiedAt!: Date | null;
  @Column(TIME) lastCheckedAt!: Date | null;
  /** How many checks in a row found no record. */
  @Column('integer', { default: () => '0' }) misses!: number;
  @Column(TIME) lastMissedAt!: Date | null;
  @Column('uuid', { nullable: true }) createdBy!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}

const COLUMNS = 'd.id, d.partner_id, d.org_id, d.domain, d.token, d.verified_at, d.last_checked_at';
const TENANT = { partner: 'd.partner_id', org: 'd.org_id' };
const ADD = `INSERT INTO sso_domains AS d (id, partner_id, org_id, domain, token, created_by)
  VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`;
const FOUND = `UPDATE sso_domains d SET verified_at = coalesce(verified_at, now()), last_checked_at = now(), misses = 0
  WHERE id = $1 RETURNING ${COLUMNS}`;
/** Slightly less than a day, because the daily check may run a few minutes earlier than the day before. */
const A_DAY_AGO = `now() - interval '23 hours'`;
/** Three consecutive failed checks, at most one a day, revoke the verification. */
const MISSED = `
  UPDATE sso_domains d SET last_checked_at = now(), misses = d.misses + miss.counts,
         last_missed_at = CASE miss.counts WHEN 1 THEN now() ELSE d.last_missed_at END,
         verified_at = CASE WHEN d.misses + miss.counts >= 3 THEN NULL ELSE d.verified_at END
    FROM (SELECT CASE WHEN last_missed_at > ${A_DAY_AGO} THEN 0 ELSE 1 END AS counts
            FROM sso_domains WHERE id = $1 FOR UPDATE) miss
   WHERE d.id = $1 RETURNING ${COLUMNS}`;
/** Keeps the domain's state and schedules the next check in an hour. */
const UNKNOWN = `UPDATE sso_domains SET last_checked_at = ${A_DAY_AGO} WHERE id = $1 AND verified_at IS NOT NULL`;
/** Marks the selected domains as checked, so that no other replica checks them too. */
const TAKE_DUE = `
  UPDATE sso_domains d SET last_checked_at = now()
   WHERE id IN (SELECT id FROM sso_domains WHERE verified_at IS NOT NULL AND last_checked_at < now() - interval '1 day'
     ORDER BY last_checked_at LIMIT 50 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;

/** The addresses whose domains may have several spellings. */
const INTERNATIONAL = `SELECT id, email FROM users WHERE email ~ '[^\\x01-\\x7f]' OR email LIKE '%xn--%' ORDER BY id`;

export interface StoredAddress {
  readonly id: string;
  readonly email: string;
}

@Injectable()
export class DomainsRepository {
  list(reader: Reader, scope: TenantScope, orgId: string | undefined): Promise<DomainEntity[]> {
    const conditions = livingWithin(scope, TENANT).add('d.org_id = ?', orgId);
    return reader.query<DomainEntity>(
      `SELECT ${COLUMNS} FROM sso_domains d ${conditions.where} ORDER BY d.domain, d.id`,
      conditions.parameters,
    );
  }

  async get(reader: Reader, scope: TenantScope, id: string): Promise<DomainEntity> {
    const conditions = livingWithin(scope, TENANT).add('d.id = ?', id);
    const domain = await reader.one<DomainEntity>(
      `SELECT ${COLUMNS} FROM sso_domains d ${conditions.where}`,
      conditions.parameters,
    );
    if (!domain) throw new ProblemError('sso_domain_not_found', 'There is no such domain.');
    return domain;
  }

  /** @throws ProblemError domain_taken when the organisation has it already */
  async insert(
    tx: Tx,
    { id, partnerId, orgId, domain, token }: Pick<DomainEntity, 'id' | 'partnerId' | 'orgId' | 'domain' | 'token'>,
    createdBy: string,
  ): Promise<DomainEntity> {
    const taken = {
      domain_once_per_org: () => new ProblemError('domain_taken', 'The organisation has this domain already.'),
    };
    const [row] = await tx
      .query<DomainEntity>(ADD, [id, partnerId, orgId, domain, token, createdBy])
      .catch(onConstraint(taken));
    if (!row) throw new Error('the domain was not stored');
    return row;
  }

  /** @returns the domain after the check, or null when it was deleted in the meantime */
  checked(tx: Tx, { id }: DomainEntity, verdict: 'found' | 'absent'): Promise<DomainEntity | null> {
    return tx.one<DomainEntity>(verdict === 'found' ? FOUND : MISSED, [id]);
  }

  /** Schedules another check after a daily check without a result. */
  async postpone(tx: Tx, { id }: DomainEntity): Promise<void> {
    await tx.query(UNKNOWN, [id]);
  }

  async delete(tx: Tx, { id }: DomainEntity): Promise<void> {
    await tx.manager.delete(DomainEntity, { id });
  }

  internationalAddresses(reader: Reader): Promise<StoredAddress[]> {
    return reader.query<StoredAddress>(INTERNATIONAL);
  }

  takeDue(tx: Tx): Promise<DomainEntity[]> {
    return tx.query<DomainEntity>(TAKE_DUE);
  }
}
