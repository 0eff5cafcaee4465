import { ServiceConfig } from '@gatehouse/service';
import { IsInt, IsString, Max, Min } from 'class-validator';

const MAX_TTL_MINUTES = 1440;
const MAX_HISTORY_MONTHS = 120;
const MAX_TELLING_SECONDS = 300;

export class PamIngestConfig extends ServiceConfig {
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlPam!: string;

  /** Minutes until a request that nobody decides expires. */
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(MAX_TTL_MINUTES)
  pamPendingTtlMinutes: number = 15;

  /** Months of elevation requests that are kept; the audit log keeps what was decided for good. */
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(MAX_HISTORY_MONTHS)
  pamHistoryMonths: number = 24;

  /** Seconds between two words to tenancy on which agents were here. */
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(MAX_TELLING_SECONDS)
  agentsSeenEverySeconds: number = 30;
}
