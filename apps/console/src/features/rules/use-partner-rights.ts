import { useCan, useMe } from '../../api/me.ts';

/** Whether the caller may change what its partner gives all organisations. */
export function useMayChangePartnerRules(): boolean {
  const { partnerWidePolicyRights } = useMe();
  return useCan()('PATCH /pam/rules/{id}') && partnerWidePolicyRights;
}

/** Whether the caller may add to it; callers of the system belong to no partner. */
export function useMayAddPartnerRules(): boolean {
  const { scope } = useMe();
  return useMayChangePartnerRules() && scope === 'partner';
}

/** Whether the caller may read signer groups. @param orgId null for those of the partner */
export function useReadableGroups(orgId: string | null): boolean {
  const { scope } = useMe();
  return orgId !== null || scope === 'partner';
}
