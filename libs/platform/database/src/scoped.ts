import type { TenantScope } from '@gatehouse/contracts-core';
import type { SqlParameter } from './tx.ts';

/** The columns of a query that hold the tenant. A table without sites omits `site`. */
export interface ScopeColumns {
  readonly partner: string;
  readonly org?: string;
  readonly site?: string;
}

/**
 * Collects conditions and their parameters, so that clauses and parameters stay in step and no value enters the SQL
 * text.
 */
export class Conditions {
  private readonly clauses: string[] = [];
  readonly parameters: SqlParameter[] = [];

  /** Adds `value` as the next parameter and returns its placeholder. */
  bind(value: SqlParameter): string {
    this.parameters.push(value);
    return `$${this.parameters.length}`;
  }

  /** Skipped when the value is undefined. @example conditions.add('r.status = ?', status) */
  add(clause: string, value?: SqlParameter): this {
    if (value !== undefined) this.clauses.push(clause.replaceAll('?', this.bind(value)));
    return this;
  }

  raw(clause: string): this {
    this.clauses.push(clause);
    return this;
  }

  /**
   * Adds the condition that rows are in the scope, the first guard beside row security. An empty set adds FALSE, so
   * that it never matches every row.
   */
  within(scope: TenantScope, columns: ScopeColumns): this {
    if (scope.partner === null) return this.raw('FALSE');
    if (scope.partner !== 'all') this.add(`${columns.partner} = ?::uuid`, scope.partner);
    this.addIdFilter(columns.org, scope.orgs);
    this.addIdFilter(columns.site, scope.sites);
    return this;
  }

  private addIdFilter(column: string | undefined, ids: 'all' | ReadonlySet<string>): void {
    if (!column || ids === 'all') return;
    if (ids.size === 0) this.raw('FALSE');
    else this.add(`${column} = ANY (?::uuid[])`, [...ids]);
  }

  /** `WHERE …`, or an empty text when there are no conditions. */
  get where(): string {
    return this.clauses.length > 0 ? `WHERE ${this.clauses.join(' AND ')}` : '';
  }

  /** `AND …`, to append to conditions that the statement already has. */
  get and(): string {
    return this.clauses.map((clause) => ` AND ${clause}`).join('');
  }
}

/** @param parameters those that the statement uses already: numbering continues after them */
export function scoped(
  scope: TenantScope,
  columns: ScopeColumns,
  parameters: readonly SqlParameter[] = [],
): Conditions {
  const conditions = new Conditions();
  conditions.parameters.push(...parameters);
  return conditions.within(scope, columns);
}
