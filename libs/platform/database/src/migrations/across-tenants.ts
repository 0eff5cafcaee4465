interface FunctionAcrossTenants {
  /** With its parameters: `membership_count(person uuid)`. */
  readonly name: string;
  /** A type, `TABLE (…)`, or `void` for a statement without a result. */
  readonly returns: string;
  readonly volatility: 'STABLE' | 'VOLATILE';
  /** A statement before the query. The query of a VOLATILE function sees what was committed until then. */
  readonly first?: string;
  readonly query: string;
}

function resultOf({ returns, query }: FunctionAcrossTenants): string {
  if (returns === 'void') return `${query};`;
  return returns.startsWith('TABLE') ? `RETURN QUERY ${query};` : `result := (${query});`;
}

/**
 * SQL that defines a function which reads or writes beyond the caller's tenant, and nothing outside the function does.
 * It sets `app.system` and puts it back; an error ends the transaction or savepoint, and with it the setting. The
 * clause `SET app.system` of CREATE FUNCTION would do the same, but needs a right that only a superuser can grant.
 */
export function acrossTenants(definition: FunctionAcrossTenants): string {
  const { name, returns, volatility, first } = definition;
  const isScalar = returns !== 'void' && !returns.startsWith('TABLE');
  return `
    CREATE OR REPLACE FUNCTION ${name} RETURNS ${returns}
    LANGUAGE plpgsql ${volatility} SET search_path = public, pg_temp AS $$
    #variable_conflict use_column
    DECLARE
      outside CONSTANT text := coalesce(current_setting('app.system', true), '');
      ${isScalar ? `result ${returns};` : ''}
    BEGIN
      PERFORM set_config('app.system', 'on', true);
      ${first ? `${first};` : ''}
      ${resultOf(definition)}
      PERFORM set_config('app.system', outside, true);
      ${isScalar ? 'RETURN result;' : ''}
    END $$;`;
}
