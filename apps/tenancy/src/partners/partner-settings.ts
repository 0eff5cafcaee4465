import { invalid } from '@gatehouse/contracts-core';
import type { PartnerSettingsDto } from '@gatehouse/contracts-tenancy';
import { faultyBusinessDay } from '@gatehouse/tenancy-domain';

/**
 * Returns the settings as plain data.
 * @throws ProblemError validation_failed that names the invalid weekday
 */
export function checkedSettings(settings: PartnerSettingsDto | undefined): Record<string, unknown> | undefined {
  const custom = settings?.businessHours?.custom;
  const fault = custom ? faultyBusinessDay(custom) : null;
  if (fault !== null)
    throw invalid(
      `settings.businessHours.custom.${fault}`,
      'must be a weekday with start and end as HH:MM, and closed true or false',
    );
  return settings && { ...settings };
}
