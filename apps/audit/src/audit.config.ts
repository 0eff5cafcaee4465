import { ServiceConfig } from '@gatehouse/service';
import { IsInt, IsString, Max, Min } from 'class-validator';

export class AuditConfig extends ServiceConfig {
  /** PostgreSQL, as the role that serves. */
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlAudit!: string;

  /** Seconds between two checkpoints of a growing chain. */
  @IsInt()
  @Min(1)
  @Max(3600)
  auditCheckpointSeconds: number = 60;

  /** The entries that one page of a filtered log looks through; the next page goes on behind them. */
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  auditSearchedEntries: number = 100_000;
}
