import { ServiceConfig } from '@gatehouse/service';
import { IsInt, IsString, IsUrl, Max, Min } from 'class-validator';

const TEN_YEARS_OF_DAYS = 3650;

export class TenancyConfig extends ServiceConfig {
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['postgres', 'postgresql'] }, { message: 'must be a postgres:// address' })
  databaseUrlTenancy!: string;

  /** Rows up to which a merge runs by itself. */
  @IsInt() @Min(1)
  orgMergeMaxRows: number = 500_000;

  /** Days that an archived organisation's data is kept when the request does not say. */
  @IsInt() @Min(1) @Max(TEN_YEARS_OF_DAYS)
  orgArchiveDefaultRetentionDays: number = 90;

  /** Services that hold rows of organisations, parted by commas: a merge or purge is over when all of them are. */
  @IsString()
  tenantDataServices: string = 'tenancy,identity,pam,notifier';

  /** Seconds between two looks for archived organisations whose retention is over. */
  @IsInt() @Min(1)
  purgeSweepSeconds: number = 60;

  get tenantDataParticipants(): string[] {
    return this.tenantDataServices.split(',').map((service) => service.trim());
  }
}
