import { ServiceConfig } from '@gatehouse/service';
import { IsBoolean, IsInt, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';

export class PamConfig extends ServiceConfig {
  /** PostgreSQL, as the role that serves. */
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlPam!: string;

  /** When false, no actuation is queued and the route answers 403. */
  @IsBoolean({ message: 'must be true or false' })
  pamActuatorEnabled: boolean = true;

  /** Minutes until an undecided request expires. */
  @IsInt()
  @Min(1)
  @Max(1440)
  pamPendingTtlMinutes: number = 15;

  /** The newest requests that a search looks through; the answer says when there are older ones. */
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  pamSearchedRequests: number = 100_000;

  /** Path of a JSON file that replaces the built-in tool catalogue. */
  @IsOptional()
  @IsString()
  pamToolCatalog?: string;

  /** DSN of a Sentry-compatible service that receives errors which need an operator; they are always logged too. */
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true }, { message: 'must be a DSN such as https://key@host/project' })
  errorTrackingUrl?: string;
}
