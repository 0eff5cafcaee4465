import { ServiceConfig } from '@gatehouse/service';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

const MAX_TTL_MINUTES = 1440;
const MAX_HISTORY_MONTHS = 120;
const MAX_TELLING_SECONDS = 300;

export class PamIngestConfig extends ServiceConfig {
  /** PostgreSQL, as the role that serves. */
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlPam!: string;

  /** PostgreSQL itself, as the same role, when DATABASE_URL_PAM is a pooler's: agents hear of commands at once. */
  @IsOptional()
  @IsString()
  databaseDirectUrlPam?: string;

  /** Minutes until an undecided request expires. */
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(MAX_TTL_MINUTES)
  pamPendingTtlMinutes: number = 15;

  /** Months for which elevation requests are kept; the audit log keeps the decisions for good. */
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(MAX_HISTORY_MONTHS)
  pamHistoryMonths: number = 24;

  /** Seconds between two reports to tenancy of the agents seen. */
  @IsInt({ message: 'must be a whole number' })
  @Min(1)
  @Max(MAX_TELLING_SECONDS)
  agentsSeenEverySeconds: number = 30;
}
