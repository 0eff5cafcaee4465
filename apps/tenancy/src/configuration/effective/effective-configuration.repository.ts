import type { EffectiveConfigurationResponse } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { effectiveConfiguration as decide, type ReachingPolicy } from '@gatehouse/tenancy-domain';

const REACHING = `
  SELECT a.level, a.policy_id, p.features FROM devices d
    JOIN configuration_policy_assignments a ON a.target_id = ANY (ARRAY[d.id, d.site_id, d.org_id,
      d.partner_id] || ARRAY(SELECT m.group_id FROM device_group_members m WHERE m.device_id = d.id))
    JOIN configuration_policies p ON p.id = a.policy_id AND (p.org_id IS NULL OR p.org_id = d.org_id)
   WHERE d.id = $1 ORDER BY a.created_at DESC, a.id DESC`;

/** The configuration that now applies to a device. The reader's caller must be allowed to see the device. */
export const effectiveConfiguration = async (
  reader: Reader,
  deviceId: string,
): Promise<EffectiveConfigurationResponse> => decide(await reader.query<ReachingPolicy>(REACHING, [deviceId]));
