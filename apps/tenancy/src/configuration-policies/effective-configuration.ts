import type { EffectiveConfigurationDto } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';

/** PAM spec, "Configuration policy": what holds where no policy says anything. */
const NOTHING_ASSIGNED: EffectiveConfigurationDto = { pam: { uacInterceptionEnabled: true, source: null } };

export async function effectiveConfiguration(_reader: Reader, _deviceId: string): Promise<EffectiveConfigurationDto> {
  return NOTHING_ASSIGNED;
}
