import type { DeviceGroupResponse } from '@gatehouse/contracts-tenancy';
import type { DeviceGroupRow } from './device-groups.repository.ts';

export const deviceGroupView = ({ partnerId: _, ofLevel: __, ...group }: DeviceGroupRow): DeviceGroupResponse => group;
