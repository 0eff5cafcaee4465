import type { Mail } from './mailer.ts';
import { nameInMail } from './name-in-mail.ts';

const link = (baseUrl: string, page: string, token: string): string => `${baseUrl}/${page}?token=${token}`;

interface LinkMail {
  readonly baseUrl: string;
  readonly to: string;
  readonly token: string;
}

export const invitationMail = ({ baseUrl, to, token }: LinkMail, inviter: string): Mail => ({
  to,
  subject: 'You are invited to Gatehouse',
  text: `${nameInMail(inviter, 'A colleague')} invites you to Gatehouse.\n\nAccept the invitation within seven days:\n${link(baseUrl, 'accept-invite', token)}\n\nIf you did not expect this, ignore this mail.\n`,
});

export const passwordResetMail = ({ baseUrl, to, token }: LinkMail): Mail => ({
  to,
  subject: 'Reset your Gatehouse password',
  text: `Somebody, hopefully you, asked to reset the password of this address.\n\nChoose a new one within the next hour:\n${link(baseUrl, 'reset-password', token)}\n\nIf it was not you, ignore this mail: nothing changes.\n`,
});
