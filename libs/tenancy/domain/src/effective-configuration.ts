import {
  type EffectiveConfigurationResponse,
  POLICY_LEVELS,
  type PolicyFeaturesDto,
  type PolicyLevel,
} from '@gatehouse/contracts-tenancy';

/** A policy that applies to a device, and the level of the hierarchy at which it is assigned. */
export interface ReachingPolicy {
  readonly level: PolicyLevel;
  readonly policyId: string;
  readonly features: PolicyFeaturesDto;
}

/** TEN-54: prompts are captured unless a policy says otherwise. */
const UAC_INTERCEPTION_BY_DEFAULT = true;

/**
 * For each feature, the closest policy that sets it decides.
 * @param policies newest assignment first: among equals the newest wins
 */
export function effectiveConfiguration(policies: readonly ReachingPolicy[]): EffectiveConfigurationResponse {
  const closestFirst = POLICY_LEVELS.toReversed().flatMap((level) =>
    policies.filter((policy) => policy.level === level),
  );
  const deciding = closestFirst.find(({ features }) => features.pam !== undefined);
  if (!deciding?.features.pam) return { pam: { uacInterceptionEnabled: UAC_INTERCEPTION_BY_DEFAULT, source: null } };
  const { level, policyId, features } = deciding;
  return {
    pam: {
      uacInterceptionEnabled: features.pam?.uacInterceptionEnabled ?? UAC_INTERCEPTION_BY_DEFAULT,
      source: { level, policyId },
    },
  };
}
