import type { ConfigurationPolicyResponse } from '@gatehouse/contracts-tenancy';
import type { ConfigurationPolicyRow } from './configuration-policies.repository.ts';

export const configurationPolicyView = ({
  partnerId: _,
  ...policy
}: ConfigurationPolicyRow): ConfigurationPolicyResponse => policy;
