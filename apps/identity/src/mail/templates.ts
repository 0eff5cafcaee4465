import type { FreezeFact } from '@gatehouse/contracts-pam';
import type { DeviceReenrolment } from '@gatehouse/contracts-tenancy';
import { mailOf } from './mail-parts.ts';
import type { Mail } from './mailer.ts';
import { nameInMail } from './name-in-mail.ts';

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
    subject: `You are invited to ${where}`,
    opening: `${nameInMail(inviter, 'A colleague')} invites you to ${where}.`,
    invitation: 'Accept the invitation within seven days:',
    action: 'Accept the invitation',
    link: link(baseUrl, 'accept-invite', token),
    closing: 'If you did not expect this, ignore this mail.',
  });
}

export function passwordResetMail({ baseUrl, to, token, tenantName }: LinkMail): Mail {
  const place = placeOf(tenantName);
  const account = place ? `your Gatehouse account at ${place}` : 'your Gatehouse account';
  return mailOf({
    to,
    subject: place ? `Reset your Gatehouse password for ${place}` : 'Reset your Gatehouse password',
    opening: `A new password was requested for ${account}.`,
    invitation: 'Choose it within the next hour:',
    action: 'Choose a new password',
    link: link(baseUrl, 'reset-password', token),
    closing: 'If you did not request it, ignore this mail: nothing changes.',
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
  const end = freeze.expiresAt === null ? 'until it is lifted' : `until ${freeze.expiresAt}`;
  const what = `${FROZEN[freeze.level]}${place || 'your organisation'}`;
  return mailOf({
    to,
    subject: place ? `Privileged access is frozen at ${place}` : 'Privileged access is frozen',
    opening: `${nameInMail(author, 'A technician')} froze privileged access. ${what} is frozen ${end}.`,
    invitation: 'See why, and lift it when it is no longer needed:',
    action: 'Open Gatehouse',
    link: `${baseUrl}/`,
    closing: 'You get this mail because you administer the organisation or its partner.',
  });
}

interface ReenrolmentMail {
  readonly baseUrl: string;
  readonly tenantName: string | null;
  readonly hostname: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason?: DeviceReenrolment['reason'];
}

const REENROLMENTS = {
  reenrolled: (device: string, at: string) => ({
    subject: `${device} was enrolled again`,
    opening: `The device ${device} was enrolled again at ${at}, with a new token. Its old token no longer works.`,
    invitation: 'If the machine was not set up again, replace its token or decommission the device:',
  }),
  awaiting_confirmation: (device: string, at: string) => ({
    subject: `${device} wants to return`,
    opening: `A machine without the token of ${device} enrolled at ${at} and says that it is this device.`,
    invitation: 'It gets nothing before you confirm it. Confirm or refuse its return:',
  }),
  token_reuse: (device: string, at: string) => ({
    subject: `An old token of ${device} was used`,
    opening: `A token of the device ${device} that its agent has replaced was used at ${at}, and refused. It may be stolen.`,
    invitation: 'Look at the machine, and replace its token if you do not know why:',
  }),
} as const;

export function reenrolmentMail(to: string, { baseUrl, tenantName, hostname, at, reason }: ReenrolmentMail): Mail {
  const place = placeOf(tenantName);
  const { subject, opening, invitation } = REENROLMENTS[reason ?? 'reenrolled'](nameInMail(hostname, 'A device'), at);
  return mailOf({
    to,
    subject: `${subject}${place ? ` at ${place}` : ''}`,
    opening,
    invitation,
    action: 'Open Gatehouse',
    link: `${baseUrl}/`,
    closing:
      'You get this mail, at most once a day for each device, because you administer the organisation or its partner.',
  });
}
