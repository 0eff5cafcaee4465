import type { BodyOf } from '@gatehouse/client';
import type { Me } from '../../api/me.ts';

type Membership = BodyOf<'/users', 'post'>['membership'];

/** Where an invited person belongs: to the chosen organisation, or to the whole partner. */
export const membershipFor = (
  { partnerId }: Pick<Me, 'partnerId'>,
  orgId: string | undefined,
  roleId: string,
): Membership =>
  orgId
    ? { scope: 'organization', orgId, roleId }
    : { scope: 'partner', roleId, orgAccess: 'all', ...(partnerId && { partnerId }) };

/** `devices:write` → what it lets one do, grouped by thing. */
export function grouped(
  permissions: readonly string[],
): readonly (readonly [thing: string, acts: readonly string[]])[] {
  const things = new Map<string, string[]>();
  for (const permission of permissions) {
    const [thing = '', act = ''] = permission.split(':');
    things.set(thing, [...(things.get(thing) ?? []), act]);
  }
  return [...things];
}
