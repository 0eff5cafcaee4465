import type { ExpiryKind, MetadataReason } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { mailOf, nameInMail } from './mail-parts.ts';
import { Mailer } from './mailer.ts';
import { AdministratorsRepository, MAX_ADDRESSEES, TenantNamesRepository } from './recipients.repository.ts';
import { instantInMail } from './templates.ts';

/** What administrators are told about an identity provider. */
export type ProviderAlert =
  | { readonly kind: ExpiryKind; readonly daysLeft: number; readonly expiresAt: Date }
  | { readonly kind: 'held' | 'taken_over'; readonly reason: MetadataReason }
  | { readonly kind: 'unreachable'; readonly since: Date; readonly error: string };

interface AlertWords {
  readonly subject: string;
  readonly opening: string;
  readonly invitation: string;
}

const EXPIRING: Readonly<Record<ExpiryKind, string>> = {
  certificate: 'signing certificate',
  client_secret: 'client secret',
  scim_token: 'SCIM token',
};
const REASONS: Readonly<Record<MetadataReason, string>> = {
  policy_hold: 'every change of its metadata requires your approval',
  entity_id_changed: 'its entity ID has changed',
  sso_url_changed: 'its sign-in address has changed',
  other_host: 'the metadata is on a different host than the provider',
  no_trusted_certificate: 'the metadata has none of the certificates that are trusted now',
  no_room: 'two certificates are already trusted, and neither can be removed',
  not_verified: 'the remaining certificate has not verified a sign-in yet',
  pasted: 'a certificate was submitted, and no currently trusted certificate is valid',
  certificate_added: 'it published its next certificate, which is now trusted',
  certificate_withdrawn: 'it withdrew a certificate, which is no longer trusted',
  certificate_expired: 'a certificate has expired and is no longer trusted',
};

function wordsOf(alert: ProviderAlert, provider: string): AlertWords {
  switch (alert.kind) {
    case 'held':
      return {
        subject: `A metadata change of ${provider} is awaiting approval`,
        opening: `The metadata of ${provider} differs from its settings here: ${REASONS[alert.reason]}. Nothing has been changed.`,
        invitation: 'Apply or dismiss the change. Users may be unable to sign in until then:',
      };
    case 'taken_over':
      return {
        subject: `The certificates of ${provider} have changed`,
        opening: `The identity provider ${provider} changed its certificates: ${REASONS[alert.reason]}.`,
        invitation: 'You do not need to do anything. If you did not expect this, dismiss the change:',
      };
    case 'unreachable':
      return {
        subject: `The metadata of ${provider} cannot be read`,
        opening: `The metadata of ${provider} has been unreadable since ${instantInMail(alert.since)}.`,
        invitation:
          'Users can still sign in, but a new certificate would not be noticed. Correct the metadata address:',
      };
    default: {
      const what = EXPIRING[alert.kind];
      const days = `in ${alert.daysLeft} ${alert.daysLeft === 1 ? 'day' : 'days'}`;
      const when = alert.daysLeft === 0 ? 'has expired' : `expires ${days}`;
      return {
        subject: `The ${what} of ${provider} ${when}`,
        opening: `The ${what} of the identity provider ${provider} ${when} (${instantInMail(alert.expiresAt)}).`,
        invitation: 'Users cannot sign in once it has expired. Renew it at the provider, then enter it here:',
      };
    }
  }
}

/** A link for the administrator in whose authority its visitor acts. */
export interface RenewalLink {
  readonly to: string;
  readonly link: string;
}

const RENEW =
  'Renew it at the provider, then enter it with this link. It acts with your permissions and is valid for a week. ' +
  'You can forward the link to the administrator of the provider:';

interface AlertedProvider {
  readonly id: string;
  readonly name: string;
  readonly partnerId: string;
  readonly orgId: string | null;
}

/** Tells the administrators of a provider's owner by mail, in the transaction of what they are told. */
@Injectable()
export class ProviderAlerts {
  constructor(
    private readonly administratorsRepository: AdministratorsRepository,
    private readonly tenantNamesRepository: TenantNamesRepository,
    private readonly mailer: Mailer,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /**
   * The mails lead to the provider's page.
   * @param renewal a link for one of the administrators alone, whose authority it carries; the mail says so
   */
  async post(
    tx: Tx,
    provider: AlertedProvider,
    alert: ProviderAlert,
    renewal: RenewalLink | null = null,
  ): Promise<void> {
    const place = nameInMail((await this.tenantNamesRepository.find(tx, provider)) ?? '', '');
    const { subject, ...words } = wordsOf(alert, nameInMail(provider.name, 'an identity provider'));
    const addresses = await this.administratorsRepository.addresses(tx, provider);
    const recipients = new Set([...(renewal ? [renewal.to] : []), ...addresses]);
    for (const to of [...recipients].slice(0, MAX_ADDRESSEES))
      await this.mailer.post(
        tx,
        mailOf({
          to,
          subject: place ? `${subject} (${place})` : subject,
          ...words,
          ...this.wayOn(provider, to === renewal?.to ? renewal.link : null),
          closing: 'You receive this e-mail because you administer the organisation or its partner.',
        }),
      );
  }

  private wayOn({ id }: AlertedProvider, renewal: string | null) {
    if (renewal === null) return { action: 'Open Gatehouse', link: `${this.baseUrl}/sign-on/${id}` };
    return { invitation: RENEW, action: 'Renew now', link: renewal };
  }
}
