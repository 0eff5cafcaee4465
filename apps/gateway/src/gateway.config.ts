import { ConfigError, ServiceConfig, TrustedProxies } from '@gatehouse/service';
import { IsInt, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';
import type { UpstreamName } from './routes.ts';

const DEFAULT_PORT = 3000;
const isServiceUrl = (): PropertyDecorator =>
  IsUrl(
    { protocols: ['http', 'https'], require_tld: false, require_protocol: true },
    { message: 'must be an http:// address' },
  );

export class GatewayConfig extends ServiceConfig {
  override port = DEFAULT_PORT;

  /** The public port, for users and agents. */
  @Min(0)
  @Max(65_535)
  @IsInt({ message: 'must be a port number' })
  get gatewayPort(): number {
    return this.port;
  }

  set gatewayPort(port: number) {
    this.port = port;
  }

  /** The private ES256 key (a JWK in JSON) that signs internal identities. */
  @IsString({ message: 'must be a private JWK in JSON' })
  internalIdentityPrivateKey!: string;

  @isServiceUrl() identityUrl!: string;
  @isServiceUrl() tenancyUrl!: string;
  @isServiceUrl() pamUrl!: string;
  @isServiceUrl() pamIngestUrl!: string;
  @isServiceUrl() auditUrl!: string;
  @isServiceUrl() notifierUrl!: string;

  /** Addresses and networks of proxies whose X-Forwarded-For is trusted, separated by commas. */
  @IsOptional()
  @IsString()
  trustedProxies?: string;

  get upstreamUrls(): Readonly<Record<UpstreamName, string>> {
    return {
      identity: this.identityUrl,
      tenancy: this.tenancyUrl,
      pam: this.pamUrl,
      'pam-ingest': this.pamIngestUrl,
      audit: this.auditUrl,
      notifier: this.notifierUrl,
    };
  }

  /** @throws ConfigError that names the invalid entry */
  get proxies(): TrustedProxies {
    try {
      return TrustedProxies.parse(this.trustedProxies);
    } catch (error) {
      throw new ConfigError(`TRUSTED_PROXIES is malformed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
