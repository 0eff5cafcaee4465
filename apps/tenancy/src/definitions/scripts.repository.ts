import { foldName, type Page, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  CreateScriptDto,
  RunAs,
  ScriptParameterDto,
  ScriptQuery,
  ScriptResponse,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { FoldedColumn, onConstraint, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { assignments, insertion } from '../scope/rows.repository.ts';
import { listPage } from '../scope/list-page.sql.ts';
import { listedInReach, oneInReach, ownedInReach, type Owner, requireOwned } from '../scope/owner.ts';

/** A script that technicians run on devices. */
@Entity('scripts')
export class ScriptEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null: the script is available to every organisation of the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('varchar') name!: string;
  @Column('varchar', { nullable: true }) description!: string | null;
  @Column('varchar', { nullable: true }) category!: string | null;
  @Column('varchar') language!: string;
  @Column('text') content!: string;
  @Column('text', { default: () => "'system'::text" }) runAs!: RunAs;
  @Column('jsonb', { default: () => "'[]'::jsonb" }) parameters!: ScriptParameterDto[];
  /** Severity by exit code; 0 always means success. */
  @Column('jsonb', { default: () => "'{}'::jsonb" }) exitCodeSeverityMapping!: Record<string, unknown>;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** The form in which names are compared (TEN-100). */
  @FoldedColumn('name') foldedName?: string;
}

const COLUMNS = `id, partner_id, org_id,
  CASE WHEN org_id IS NULL THEN 'partner' ELSE 'organization' END AS availability,
  name, description, category, language, content, run_as, exit_code_severity_mapping, parameters,
  created_at, updated_at`;
const LIKE_NAMED = `
  SELECT id FROM scripts WHERE partner_id = $1 AND org_id IS NOT DISTINCT FROM $2::uuid AND folded_name = $3 LIMIT 1`;
const DEFAULT_LANGUAGE = 'powershell';

const scriptNotFound = (): ProblemError => new ProblemError('script_not_found', 'There is no such script.');
export const scriptNameTaken = (): ProblemError =>
  new ProblemError('name_taken', 'Another script of this owner has this name.');

/** Lists are stored as JSON; the driver would write arrays as SQL arrays. */
const stored = <T extends { parameters?: object[] }>(script: T): object => ({
  ...script,
  parameters: script.parameters && JSON.stringify(script.parameters),
});

@Injectable()
export class ScriptsRepository {
  list(reader: Reader, caller: UserCaller, query: ScriptQuery): Promise<Page<ScriptResponse>> {
    const conditions = listedInReach(caller).add('org_id = ?', query.orgId).add('category = ?', query.category);
    return listPage<ScriptResponse>(reader, query, {
      columns: COLUMNS,
      from: 'scripts',
      conditions,
      order: ['name', 'id'],
    });
  }

  async get(reader: Reader, caller: UserCaller, id: string): Promise<ScriptResponse> {
    const { where, parameters } = oneInReach(caller, id);
    const script = await reader.one<ScriptResponse>(`SELECT ${COLUMNS} FROM scripts ${where}`, parameters);
    if (!script) throw scriptNotFound();
    return script;
  }

  /** Returns a script that the caller may change. */
  async getWritable(tx: Tx, caller: UserCaller, id: string): Promise<ScriptResponse> {
    const script = await this.get(tx, caller, id);
    await requireOwned(tx, caller, script);
    return script;
  }

  /** Whether the owner has a script whose name is the same under folding (TEN-100). */
  async hasName(tx: Tx, { partnerId, orgId }: Owner, name: string): Promise<boolean> {
    return (await tx.one(LIKE_NAMED, [partnerId, orgId, foldName(name)])) !== null;
  }

  /** @returns the id, or null if the owner already has a script with this name */
  async insert(tx: Tx, owner: Owner, { availability: _, ...draft }: CreateScriptDto): Promise<string | null> {
    const { columns, placeholders, values } = insertion(
      stored({ ...draft, id: newId(), language: draft.language ?? DEFAULT_LANGUAGE, ...owner }),
    );
    const row = await tx.one<{ id: string }>(
      `INSERT INTO scripts (${columns}) VALUES (${placeholders}) ON CONFLICT ON CONSTRAINT script_name_unique DO NOTHING
        RETURNING id`,
      values,
    );
    return row?.id ?? null;
  }

  async update(tx: Tx, caller: UserCaller, id: string, updates: Partial<ScriptEntity>): Promise<void> {
    const conditions = ownedInReach(caller).add('id = ?', id);
    const changes = Object.entries(stored(updates)).filter(([, value]) => value !== undefined);
    const set = assignments(Object.fromEntries(changes), conditions);
    await tx
      .query(`UPDATE scripts SET ${set} ${conditions.where}`, conditions.parameters)
      .catch(onConstraint({ script_name_unique: scriptNameTaken }));
  }

  async delete(tx: Tx, caller: UserCaller, id: string): Promise<void> {
    const { where, parameters } = ownedInReach(caller).add('id = ?', id);
    if (!(await tx.one(`DELETE FROM scripts ${where} RETURNING id`, parameters))) throw scriptNotFound();
  }
}
