import { ServiceConfig } from '@gatehouse/service';
import { IsBoolean, IsInt, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';

export class PamConfig extends ServiceConfig {
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlPam!: string;

  /** Off: no actuation is queued, the route answers 403. */
  @IsBoolean({ message: 'must be true or false' })
  pamActuatorEnabled: boolean = true;

  /** How long a request waits for a person. */
  @IsInt()
  @Min(1)
  @Max(1440)
  pamPendingTtlMinutes: number = 15;

  /** Path of a tool catalogue of one's own, in JSON; the shipped one by default. */
  @IsOptional()
  @IsString()
  pamToolCatalog?: string;

  /** Where errors that need an operator are reported besides the log: a Sentry-compatible DSN. */
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true }, { message: 'must be a DSN such as https://key@host/project' })
  errorTrackingUrl?: string;
}
