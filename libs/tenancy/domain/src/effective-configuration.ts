import {
  type EffectiveConfigurationResponse,
  POLICY_LEVELS,
  type PolicyFeaturesDto,
  type PolicyLevel,
} from '@gatehouse/contracts-tenancy';

/** A policy that reaches a device, and through which level of the hierarchy. */
export interface ReachingPolicy {
  readonly level: PolicyLevel;
  readonly policyId: string;
  readonly features: PolicyFeaturesDto;
}

/** TEN-54: prompts are captured where no policy says otherwise. */
const UAC_INTERCEPTION_BY_DEFAULT = true;

/**
 * The closest policy that speaks of a feature decides it. @param policies newest assignment first: it wins among equals
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
