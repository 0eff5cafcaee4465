import { TENANT_DATA_HOLDERS } from '@gatehouse/messaging';
import { ServiceConfig } from '@gatehouse/service';
import { IsInt, IsUrl, Max, Min, ValidateBy } from 'class-validator';

const TEN_YEARS_OF_DAYS = 3650;
const MIN_SILENCE = 2;
const SECONDS_A_DAY = 86_400;
const MS = 1000;
const MAX_PRESENCE_MS = 30_000;
const LOOKS_PER_SILENCE = 5;

const namesIn = (setting: string): string[] => setting.split(',').map((service) => service.trim());
const areTenantDataHolders = (setting: unknown): boolean =>
  typeof setting === 'string' &&
  namesIn(setting).every((name) => TENANT_DATA_HOLDERS.some((service) => service === name));

export class TenancyConfig extends ServiceConfig {
  /** PostgreSQL, as the role that serves. */
  @IsUrl(
    { require_tld: false, require_protocol: true, protocols: ['postgres', 'postgresql'] },
    { message: 'must be a postgres:// address' },
  )
  databaseUrlTenancy!: string;

  /** The largest number of rows that a merge may move. */
  @IsInt()
  @Min(1)
  orgMergeMaxRows: number = 500_000;

  /** Days for which an archived organisation's data is kept if the request names no retention. */
  @IsInt()
  @Min(1)
  @Max(TEN_YEARS_OF_DAYS)
  orgArchiveDefaultRetentionDays: number = 90;

  /** Services that hold tenant rows, separated by commas: a merge or purge is over when all of them have finished. */
  @ValidateBy(
    { name: 'tenantDataHolders', validator: { validate: areTenantDataHolders } },
    { message: `must list some of ${TENANT_DATA_HOLDERS.join(', ')}` },
  )
  tenantDataServices: string = 'tenancy,identity,pam,notifier';

  /** Seconds between two searches for archived organisations whose retention is over. */
  @IsInt()
  @Min(1)
  purgeSweepSeconds: number = 60;

  /** Seconds of silence after which a device is set offline. */
  @IsInt()
  @Min(MIN_SILENCE)
  @Max(SECONDS_A_DAY)
  deviceOfflineAfterSeconds: number = 300;

  /** The interval of the presence tasks, a fraction of the allowed silence. */
  get presenceEveryMs(): number {
    return Math.min(MAX_PRESENCE_MS, (this.deviceOfflineAfterSeconds * MS) / LOOKS_PER_SILENCE);
  }

  get tenantDataParticipants(): string[] {
    return namesIn(this.tenantDataServices);
  }
}
