import type { DeviceResponse } from '@gatehouse/contracts-tenancy';
import type { DeviceRow } from './devices.repository.ts';

export const deviceView = ({ partnerId: _, agentTokenHash: __, version: ___, ...device }: DeviceRow): DeviceResponse =>
  device;
