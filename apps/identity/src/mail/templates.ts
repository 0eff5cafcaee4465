import type { FreezeFact } from '@gatehouse/contracts-pam';
import type { DeviceReenrolment } from '@gatehouse/contracts-tenancy';
import type { Postponement } from '@gatehouse/contracts-identity';
import { mailOf, nameInMail } from './mail-parts.ts';
import type { Mail } from './mailer.ts';

interface LinkMail {
  readonly baseUrl: string;
  readonly to: string;
  readonly token: string;
  /** The organisation or partner that the mail is about; null when there is none, or more than one. */
  readonly tenantName: string | null;
}

const link = (baseUrl: string, page: string, token: string): string => `${baseUrl}/${page}?token=${token}`;
const placeOf = (tenantName: string | null): string => nameInMail(tenantName ?? '', '');

export function invitationMail({ baseUrl, to, token, tenantName }: LinkMail, inviter: string): Mail {
  const place = placeOf(tenantName);
  const where = place ? `${place} on Gatehouse` : 'Gatehouse';
  return mailOf({
    to,
    subject: `You have been invited to ${where}`,
    opening: `${nameInMail(inviter, 'A colleague')} invites you to ${where}.`,
    invitation: 'Accept the invitation within seven days:',
    action: 'Accept the invitation',
    link: link(baseUrl, 'accept-invite', token),
    closing: 'If you did not expect this, you can ignore this e-mail.',
  });
}

export function passwordResetMail({ baseUrl, to, token, tenantName }: LinkMail): Mail {
  const place = placeOf(tenantName);
  const account = place ? `your Gatehouse account at ${place}` : 'your Gatehouse account';
  return mailOf({
    to,
    subject: place ? `Reset your Gatehouse password for ${place}` : 'Reset your Gatehouse password',
    opening: `A new password was requested for ${account}.`,
    invitation: 'Choose a new password within an hour:',
    action: 'Choose a new password',
    link: link(baseUrl, 'reset-password', token),
    closing: 'If you did not request this, ignore this e-mail. Your password does not change.',
  });
}

/** The second half of a set-up link: the link alone, forwarded, opens nothing. */
export function setupCodeMail({ to, code, tenantName }: { to: string; code: string; tenantName: string | null }): Mail {
  const place = placeOf(tenantName);
  return mailOf({
    to,
    subject: `Your code to set up single sign-on${place ? ` for ${place}` : ''}`,
    opening: 'Your set-up link for single sign-on was opened.',
    invitation: 'Enter this code within ten minutes on the page that the link opened:',
    code,
    closing: 'If you did not open the link, tell the person who sent it to you. Do not share the code.',
  });
}

interface SetupCompletedMail {
  readonly baseUrl: string;
  readonly to: string;
  readonly tenantName: string | null;
  readonly providerId: string;
  readonly providerName: string;
  readonly outcome: 'active' | 'inactive' | 'renewed';
}

const AFTER_SETUP = {
  active: 'Users can sign in with it now. Review its settings:',
  inactive: 'It is not active yet. Review its settings and activate it:',
  renewed: 'Review the changes. A certificate may be awaiting your approval:',
} as const;

export function setupCompletedMail({ baseUrl, providerId, providerName, outcome, ...mail }: SetupCompletedMail): Mail {
  const place = placeOf(mail.tenantName);
  const isRenewal = outcome === 'renewed';
  const done = isRenewal ? 'renewal link has finished renewing' : 'set-up link has finished setting up';
  return mailOf({
    to: mail.to,
    subject: `Single sign-on is ${isRenewal ? 'renewed' : 'set up'}${place ? ` for ${place}` : ''}`,
    opening: `The visitor of your ${done} ${nameInMail(providerName, 'the provider')}.`,
    invitation: AFTER_SETUP[outcome],
    action: 'Open provider',
    link: `${baseUrl}/sign-on/${providerId}`,
    closing: 'You receive this e-mail because you created the link.',
  });
}

/** What is frozen, before the name of its owner. */
const FROZEN = {
  device: 'A device of ',
  site: 'A site of ',
  organization: '',
  partner: 'Every organisation of ',
} as const satisfies Record<FreezeFact['level'], string>;

interface FreezeMail {
  readonly baseUrl: string;
  readonly tenantName: string | null;
  /** The name of who froze it. */
  readonly author: string;
  readonly freeze: FreezeFact;
}

export function freezeMail(to: string, { baseUrl, tenantName, author, freeze }: FreezeMail): Mail {
  const place = placeOf(tenantName);
  const end = freeze.expiresAt === null ? 'until it is lifted' : `until ${instantInMail(new Date(freeze.expiresAt))}`;
  const what = `${FROZEN[freeze.level]}${place || 'your organisation'}`;
  return mailOf({
    to,
    subject: place ? `Privileged access is frozen at ${place}` : 'Privileged access is frozen',
    opening: `${nameInMail(author, 'A technician')} has frozen privileged access. ${what} is frozen ${end}.`,
    invitation: 'Review the reason, and lift the freeze when it is no longer needed:',
    action: 'Show freezes',
    link: `${baseUrl}/freezes`,
    closing: 'You receive this e-mail because you administer the organisation or its partner.',
  });
}

interface ReenrolmentMail {
  readonly baseUrl: string;
  readonly tenantName: string | null;
  readonly deviceId: string;
  readonly hostname: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason?: DeviceReenrolment['reason'];
}

const REENROLMENTS = {
  reenrolled: (device: string, at: string) => ({
    subject: `${device} was re-enrolled`,
    opening: `The device ${device} was re-enrolled at ${at} with a new token. Its old token no longer works.`,
    invitation: 'If the machine was not reinstalled, replace its token or decommission the device:',
  }),
  awaiting_confirmation: (device: string, at: string) => ({
    subject: `${device} is awaiting confirmation of its return`,
    opening: `A machine without the token of ${device} enrolled at ${at} and claims to be this device.`,
    invitation: 'Its requests are not answered until you confirm it. Confirm or refuse its return:',
  }),
  token_reuse: (device: string, at: string) => ({
    subject: `An old token of ${device} was used`,
    opening: `A replaced token of the device ${device} was used at ${at} and refused. It may be stolen.`,
    invitation: 'Check the machine, and replace its token if you cannot explain this:',
  }),
} as const;

export function reenrolmentMail(to: string, about: ReenrolmentMail): Mail {
  const { baseUrl, tenantName, deviceId, hostname, at, reason } = about;
  const place = placeOf(tenantName);
  const { subject, opening, invitation } = REENROLMENTS[reason ?? 'reenrolled'](nameInMail(hostname, 'A device'), at);
  return mailOf({
    to,
    subject: `${subject}${place ? ` (${place})` : ''}`,
    opening,
    invitation,
    action: 'Open device',
    link: `${baseUrl}/devices/${deviceId}`,
    closing:
      'You receive this e-mail at most once a day per device, because you administer the organisation or its partner.',
  });
}

interface EnforcementMail {
  readonly baseUrl: string;
  /** Where the sign-in through the provider begins. */
  readonly loginUrl: string;
  readonly tenantName: string | null;
  readonly providerId: string;
  readonly providerName: string;
  readonly enforceAt: Date;
}

/** @example 2026-12-01, 08:30 UTC */
export const instantInMail = (at: Date): string =>
  `${at.toISOString().slice(0, 10)}, ${at.toISOString().slice(11, 16)} UTC`;

export function enforcementMail(
  to: string,
  { baseUrl, loginUrl, tenantName, providerName, enforceAt }: EnforcementMail,
): Mail {
  const place = placeOf(tenantName) || 'your organisation';
  const provider = nameInMail(providerName, 'its identity provider');
  return mailOf({
    to,
    subject: `Your password for ${place} stops working on ${enforceAt.toISOString().slice(0, 10)}`,
    opening: `From ${instantInMail(enforceAt)}, you sign in to ${place} with ${provider} instead of your password.`,
    invitation: 'Sign in with it once before then to link your account:',
    action: `Sign in with ${provider}`,
    link: `${baseUrl}${loginUrl}`,
    closing: 'If this does not work, contact your administrator before this date.',
  });
}

const POSTPONED: Readonly<Record<Postponement, string>> = {
  sso_provider_not_active: 'the provider is not active',
  sso_provider_incomplete: 'the provider is not fully configured',
  certificates_expired: 'every signing certificate of the provider has expired',
  sso_enforcement_untested: 'no user has signed in with the current settings of the provider',
  role_not_grantable: 'the administrator who set the date lacks permissions that the provider can give',
  organization_frozen: 'the organisation cannot be changed at the moment',
};

export function postponementMail(to: string, about: EnforcementMail & { readonly obstacle: Postponement }): Mail {
  const { baseUrl, tenantName, providerId, providerName, enforceAt, obstacle } = about;
  const place = placeOf(tenantName);
  const provider = nameInMail(providerName, 'the identity provider');
  return mailOf({
    to,
    subject: `Single sign-on was not enforced${place ? ` at ${place}` : ''}`,
    opening: `Single sign-on with ${provider} could not be enforced today: ${POSTPONED[obstacle]}.`,
    invitation: `The new date is ${instantInMail(enforceAt)}. Resolve the problem before then, or choose another date:`,
    action: 'Open provider',
    link: `${baseUrl}/sign-on/${providerId}`,
    closing: 'You receive this e-mail because you administer the organisation or its partner.',
  });
}
