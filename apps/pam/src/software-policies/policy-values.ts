import { invalid } from '@gatehouse/contracts-core';
import type { CreateSoftwarePolicyDto, SoftwareRuleDto } from '@gatehouse/contracts-pam';
import type { Place } from '../policy-targets/policy-targets.repository.ts';
import type { SoftwarePolicyValues } from './software-policies.repository.ts';

type Draft = Omit<CreateSoftwarePolicyDto, 'priority' | 'enabled'> & { priority: number; enabled: boolean };

/** Normalises a line; one without criteria is refused, because it would match nothing without its author noticing. */
function normalisedLine(line: SoftwareRuleDto, at: number): SoftwareRuleDto {
  const fields = [line.sha256, line.signer, line.publisher, line.pathGlob];
  if (fields.every((field) => field === undefined || field === null))
    throw invalid(`rules.${at}`, 'needs at least one of sha256, signer, publisher and pathGlob');
  const [signer, publisher, pathGlob] = [line.signer, line.publisher, line.pathGlob].map(
    (text) => text?.trim() ?? text,
  );
  return { ...line, name: line.name.trim(), sha256: line.sha256?.toLowerCase(), signer, publisher, pathGlob };
}

/**
 * The stored values of a policy whose target is at the place.
 * @throws ProblemError validation_failed
 */
export const policyValuesAt = (
  { partnerId, orgId }: Place,
  { target, rules, name, mode, priority, enabled }: Draft,
): SoftwarePolicyValues => ({
  partnerId,
  orgId,
  name: name.trim(),
  mode,
  priority,
  enabled,
  targetLevel: target.level,
  targetId: target.id,
  rules: rules.map(normalisedLine),
});
