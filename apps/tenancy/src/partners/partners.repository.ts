import { type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  PartnerPlan,
  PartnerQuery,
  PartnerResponse,
  PartnerStatus,
  PartnerType,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Conditions, foldedPattern, onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments, insertRow, type NewRow, returned } from '../scope/rows.repository.ts';
import { listPage, searchPage } from '../scope/list-page.sql.ts';

/** A managed-service provider. */
@Entity('partners')
export class PartnerEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('varchar') name!: string;
  @Column('varchar') slug!: string;
  @Column('text', { default: () => "'msp'::text" }) type!: PartnerType;
  @Column('text', { default: () => "'free'::text" }) plan!: PartnerPlan;
  @Column('text', { default: () => "'pending'::text" }) status!: PartnerStatus;
  @Column('integer', { nullable: true }) maxOrganizations!: number | null;
  @Column('integer', { nullable: true }) maxDevices!: number | null;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) settings!: Record<string, unknown>;
  @Column('jsonb', { nullable: true }) ssoConfig!: object | null;
  @Column('varchar', { nullable: true }) billingEmail!: string | null;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}

/** The partner's counters, apart from the partner so that counting makes no new version; the row is the caps' lock. */
@Entity('partner_counters')
export class PartnerCounterEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @Column('integer', { default: () => '0' }) organizations!: number;
  /** The last position that was given to an organisation; null until the partner chooses an order. */
  @Column('integer', { nullable: true }) lastPosition!: number | null;
}

const COLUMNS = `id, name, slug, type, plan, status, max_organizations, max_devices, settings, sso_config, billing_email,
  created_at, updated_at, deleted_at`;
/** The answer's columns, and the version for the event. */
const ROW = `${COLUMNS}, version`;

const STORE_ORDER = `
  UPDATE partners SET settings = settings || jsonb_build_object('organizationOrder', to_jsonb($2::uuid[]))
   WHERE id = $1 RETURNING ${ROW}`;

const slugTaken = {
  partner_slug_unique: () => new ProblemError('slug_taken', 'Another partner has this slug.'),
};
const oneInReach = (caller: UserCaller, id: string): Conditions =>
  scoped(caller.scope, { partner: 'id' }).add('id = ?', id).raw('deleted_at IS NULL');

@Injectable()
export class PartnersRepository {
  /** @throws ProblemError partner_not_found, also for a soft-deleted partner */
  async get(reader: Reader, caller: UserCaller, id: string): Promise<PartnerEntity> {
    const { where, parameters } = oneInReach(caller, id);
    return found(await reader.one<PartnerEntity>(`SELECT ${ROW} FROM partners ${where}`, parameters));
  }

  async lock(tx: Tx, caller: UserCaller, id: string): Promise<PartnerEntity> {
    const { where, parameters } = oneInReach(caller, id);
    return found(await tx.one<PartnerEntity>(`SELECT ${ROW} FROM partners ${where} FOR UPDATE`, parameters));
  }

  list(reader: Reader, caller: UserCaller, query: PartnerQuery): Promise<Page<PartnerResponse>> {
    return (query.search ? searchPage : listPage)<PartnerResponse>(reader, query, {
      columns: COLUMNS,
      from: 'partners',
      conditions: scoped(caller.scope, { partner: 'id' })
        .raw('deleted_at IS NULL')
        .add(`folded_name(name || ' ' || slug) LIKE ?`, foldedPattern(query.search)),
      order: ['name', 'id'],
    });
  }

  insert(tx: Tx, partner: NewRow<PartnerEntity>): Promise<PartnerEntity> {
    return insertRow(tx, PartnerEntity, { ...partner, id: newId() }).catch(onConstraint(slugTaken));
  }

  async update(tx: Tx, caller: UserCaller, id: string, changes: NewRow<PartnerEntity>): Promise<PartnerEntity> {
    const conditions = scoped(caller.scope, { partner: 'id' }).add('id = ?', id);
    const set = assignments(changes, conditions);
    const sql = `UPDATE partners SET ${set} ${conditions.where} RETURNING ${ROW}`;
    return returned(await tx.one<PartnerEntity>(sql, conditions.parameters).catch(onConstraint(slugTaken)));
  }

  async softDelete(tx: Tx, caller: UserCaller, id: string): Promise<PartnerEntity> {
    const { where, parameters } = oneInReach(caller, id);
    const sql = `UPDATE partners SET deleted_at = now() ${where} RETURNING ${ROW}`;
    return found(await tx.one<PartnerEntity>(sql, parameters));
  }

  async storeOrganizationOrder(tx: Tx, partnerId: string, order: readonly string[]): Promise<PartnerEntity> {
    return returned(await tx.one<PartnerEntity>(STORE_ORDER, [partnerId, order]));
  }
}

function found(partner: PartnerEntity | null): PartnerEntity {
  if (!partner) throw new ProblemError('partner_not_found');
  return partner;
}
