import { newId } from '@gatehouse/crypto';
import { newSamlKey, type ResponseFields, type SamlIdp, type SamlKey, startSamlIdp } from '@gatehouse/dev-idp';
import { inflateRawSync } from 'node:zlib';
import type { Response } from 'supertest';
import { APP, landing, SsoHarness, type Tenant, type Trip } from './sso.harness.ts';

export const ACS = `${APP}/api/v1/sso/saml/acs`;
export const ENTITY_ID = `${APP}/api/v1/sso/saml/metadata`;
export const EMAIL = 'ada@acme.example';

const inflate = (request: string): string => inflateRawSync(Buffer.from(request, 'base64')).toString();
export const relayStateOf = (trip: Trip): string => new URL(trip.url).searchParams.get('RelayState') ?? '';
const requestIdOf = (trip: Trip): string =>
  /ID="([^"]+)"/.exec(inflate(new URL(trip.url).searchParams.get('SAMLRequest') ?? ''))?.[1] ?? '';

/** Identity beside a SAML provider on loopback, with a second key of its own that tests sign with. */
export class SamlHarness {
  private constructor(
    readonly sso: SsoHarness,
    readonly idp: SamlIdp,
    readonly key: SamlKey,
  ) {}

  /** @param issuers of further providers that identity may call */
  static async start(issuers: readonly string[] = []): Promise<SamlHarness> {
    const idp = await startSamlIdp();
    return new SamlHarness(await SsoHarness.start([idp.ssoUrl, ...issuers]), idp, await newSamlKey());
  }

  /** The certificates of the provider and of the tests' key. */
  get certificates(): string {
    return `${this.idp.certificates.join('\n')}\n${this.key.certificatePem}`;
  }

  async tenant(): Promise<Tenant> {
    const tenant = await this.sso.tenant();
    await this.verifyDomain(tenant);
    return tenant;
  }

  async verifyDomain({ partnerId, orgId }: Tenant): Promise<void> {
    await this.sso.service.sql(`UPDATE sso_domains SET verified_at = NULL WHERE domain = 'acme.example'`);
    await this.sso.service.sql(
      `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at, last_checked_at)
        VALUES ($1, $2, $3, 'acme.example', 'x', now(), now())`,
      [newId(), partnerId, orgId],
    );
  }

  /** An active provider of the organisation. */
  async provider({ admin, orgId }: Tenant, more: object = {}): Promise<string> {
    const created = await this.sso.service
      .as(admin)
      .post('/sso/providers')
      .send({
        orgId,
        name: 'SAML IdP',
        type: 'saml',
        entityId: this.idp.entityId,
        ssoUrl: this.idp.ssoUrl,
        certificate: this.idp.certificates.join('\n'),
        defaultRoleId: '00000000-0000-7000-8000-000000000005',
        ...more,
      });
    await this.sso.service.as(admin).post(`/sso/providers/${created.body.data.id}/status`).send({ status: 'active' });
    return created.body.data.id as string;
  }

  begin({ orgId }: Tenant): Promise<Trip> {
    return this.sso.begin(`/sso/saml/login/${orgId}?redirect=/devices`);
  }

  post(form: Record<string, string>) {
    return this.sso.anonymous.post('/sso/saml/acs').type('form').send(form);
  }

  /** Promised, not the call itself, so that posts can be made at once. */
  async postXml(trip: Trip, xml: string): Promise<Response> {
    return this.post({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayStateOf(trip) });
  }

  /** The browser's own visit after the form. */
  complete(location: string, cookie: string) {
    const path = landing({ headers: { location } } as never).replace('/api/v1', '');
    return this.sso.anonymous.get(path).set('cookie', cookie);
  }

  /** What an honest provider would say, signed with the tests' key. */
  honest(trip: Trip, nameId = EMAIL): ResponseFields {
    return {
      key: this.key,
      issuer: this.idp.entityId,
      audience: ENTITY_ID,
      acsUrl: ACS,
      inResponseTo: requestIdOf(trip),
      nameId,
    };
  }

  async stop(): Promise<void> {
    await this.sso.stop();
    await this.idp.stop();
  }
}
