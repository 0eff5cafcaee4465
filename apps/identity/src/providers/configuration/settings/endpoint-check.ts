import { allowancesFrom, Egress, EgressError, PrivatePlaces } from '@gatehouse/egress';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { IdentityConfig } from '../../../identity.config.ts';
import { invalid } from '@gatehouse/contracts-core';
import { endpointFault, issuerFault } from '@gatehouse/identity-domain';
import type { SsoProvider } from '../store/sso-provider.entity.ts';

/** The egress to identity providers, as the settings allow it. */
@Injectable()
export class IdentityEgress extends Egress implements OnApplicationShutdown {
  constructor(config: IdentityConfig, metrics: Metrics) {
    super({
      allowances: allowancesFrom(
        config.egressAllowHosts,
        config.egressAllowHttp,
        PrivatePlaces.from(config.egressPrivateAllow),
      ),
      dnsServers: config.dnsServers,
      metrics,
    });
  }

  /** Runs after the last request was answered, because sign-ins in progress still call their provider. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

const OTHER_PORT = 'must be at port 80, 443, 8080, 8443 or one from 1024 that belongs to no other service';
const VETTED = ['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl'] as const;

/** SSO-06: endpoints must use https and be public, both when they are saved and at every sign-in. */
@Injectable()
export class EndpointCheck {
  constructor(private readonly egress: Egress) {}

  /** @throws ProblemError validation_failed that names the setting */
  async requireAllowed(settings: Partial<SsoProvider>): Promise<void> {
    this.requireForm(settings);
    await Promise.all(VETTED.map((name) => this.requirePublic(name, settings[name])));
    const fault = settings.ssoUrl && (await this.ssoUrlFault(settings.ssoUrl));
    if (fault) throw invalid('ssoUrl', fault);
  }

  /** A name that does not resolve, or not yet, may be saved: each sign-in resolves it again. */
  private async requirePublic(name: string, url: string | null | undefined): Promise<void> {
    const error: unknown = url && (await this.egress.vet(url).catch((fault: unknown) => fault));
    if (error && !(error instanceof EgressError && error.fault === 'unreachable'))
      throw invalid(name, 'must be an https address on the public internet');
  }

  /** Only the browser visits this address, so it may be in the customer's own network, but it must use https. */
  async ssoUrlFault(url: string): Promise<string | null> {
    const insecure = 'must be an https address';
    const fault = endpointFault(url) ?? (/^https?:/i.test(url) ? this.portFault(url) : insecure);
    if (fault || /^https:/i.test(url)) return fault;
    return (await this.egress.vet(url).catch(() => true)) ? insecure : null;
  }

  private portFault(url: string): string | null {
    return this.egress.mayUsePort(url) ? null : OTHER_PORT;
  }

  private requireForm(settings: Partial<SsoProvider>): void {
    for (const name of ['issuer', ...VETTED, 'metadataUrl'] as const) {
      const url = settings[name];
      const fault = url && ((name === 'issuer' ? issuerFault : endpointFault)(url) ?? this.portFault(url));
      if (fault) throw invalid(name, fault);
    }
  }

  /**
   * Checks each host that the sign-in will redirect to or call, once.
   * @throws Error
   */
  async requireReachable(provider: SsoProvider): Promise<void> {
    const urls = VETTED.map((name) => provider[name]).filter((url) => url !== null);
    const onePerHost = new Map(urls.map((url) => [new URL(url).origin, url]));
    await Promise.all([...onePerHost.values()].map((url) => this.egress.vet(url)));
  }
}
