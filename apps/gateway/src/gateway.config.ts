import { UPSTREAM_NAMES, type UpstreamName } from '@gatehouse/contracts-core';
import { ConfigError, ServiceConfig, TrustedProxies } from '@gatehouse/service';
import { IsInt, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';

const DEFAULT_PORT = 3000;
const isServiceUrl = (): PropertyDecorator =>
  IsUrl(
    { protocols: ['http', 'https'], require_tld: false, require_protocol: true },
    { message: 'must be an http:// address' },
  );

/** The property with a service's address: `pamIngestUrl`, read from PAM_INGEST_URL. */
const addressPropertyOf = (service: UpstreamName): string =>
  `${service.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())}Url`;

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

  /** Proxies whose X-Forwarded-For is trusted: addresses and networks, separated by commas, or how many they are. */
  @IsOptional()
  @IsString()
  trustedProxies?: string;

  /** How many agents may wait for commands at one process; others get 503 and try again, at any replica. */
  @IsInt()
  @Min(1)
  @Max(60_000)
  maxWaitingAgents: number = 20_000;

  /** An address of pam-ingest whose name stands for each replica: polls of agents are spread over them. */
  @IsOptional()
  @isServiceUrl()
  pamIngestReplicasUrl?: string;

  /** Where the built console lies, if not beside the program; without its `index.html` there is no console. */
  @IsOptional()
  @IsString()
  consoleDirectory?: string;

  /** The address of each service behind the gateway, one setting each. */
  get upstreamUrls(): Readonly<Record<UpstreamName, string>> {
    const addresses = UPSTREAM_NAMES.map((name) => [name, Reflect.get(this, addressPropertyOf(name)) as string]);
    return Object.fromEntries(addresses) as Record<UpstreamName, string>;
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

for (const service of UPSTREAM_NAMES) isServiceUrl()(GatewayConfig.prototype, addressPropertyOf(service));
