import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ScriptResponse } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { faultyExitCode } from '@gatehouse/tenancy-domain';
import { oneInReach } from '../scope/owner.ts';

export const SCRIPT_COLUMNS = `id, org_id, CASE WHEN org_id IS NULL THEN 'partner' ELSE 'organization' END AS availability, name, description, category, language, content,
  run_as, exit_code_severity_mapping, parameters, created_at, updated_at`;

export interface ScriptRow extends ScriptResponse {
  readonly partnerId: string;
}

export const scriptView = ({ partnerId: _, ...script }: ScriptRow): ScriptResponse => script;
export const scriptNotFound = (): ProblemError => new ProblemError('script_not_found', 'Script not found.');
export const scriptNameTaken = {
  script_name_unique: () => new ProblemError('name_taken', 'Another script of this owner has this name.'),
};

/** @throws ProblemError script_not_found */
export async function findScript(reader: Reader, caller: UserCaller, id: string): Promise<ScriptRow> {
  const { where, parameters } = oneInReach(caller, id);
  const script = await reader.one<ScriptRow>(`SELECT ${SCRIPT_COLUMNS}, partner_id FROM scripts ${where}`, parameters);
  if (!script) throw scriptNotFound();
  return script;
}

/** @throws ProblemError validation_failed that names the invalid exit code */
export function requireExitCodes(mapping: Readonly<Record<string, unknown>> | undefined): void {
  const fault = mapping ? faultyExitCode(mapping) : null;
  if (fault !== null)
    throw invalid(`exitCodeSeverityMapping.${fault}`, 'must be an exit code other than 0 with a severity');
}
