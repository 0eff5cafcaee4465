import { describe, expect, it } from '@jest/globals';
import { textPart } from './mail-parts.ts';
import { invitationMail, passwordResetMail } from './templates.ts';

describe('a mail', () => {
  it('names the organisation in its subject and in both parts', () => {
    const mails = [
      invitationMail({ ...BASE, tenantName: 'Müller & Söhne' }, 'Ann'),
      passwordResetMail({ ...BASE, tenantName: 'Müller & Söhne' }),
    ];
    for (const { subject, text, html } of mails) {
      expect(subject).toContain('Müller & Söhne');
      expect(text).toContain('Müller & Söhne');
      expect(html).toContain('Müller &amp; Söhne');
    }
  });

  it('stays in the name of Gatehouse without an organisation, or with a name that is an address', () => {
    for (const tenantName of [null, 'https://evil.example'])
      expect(invitationMail({ ...BASE, tenantName }, 'Ann').subject).toBe('You have been invited to Gatehouse');
    expect(passwordResetMail({ ...BASE, tenantName: null }).subject).toBe('Reset your Gatehouse password');
  });

  it('keeps its link whole on a line of its own, in both parts', () => {
    const { text, html = '' } = invitationMail({ ...BASE, tenantName: 'Acme' }, 'Ann');
    expect(text.split('\n')).toContain(LINK);
    expect(html.split('\n')).toContain(LINK);
  });

  it('never lets a name become markup', () => {
    const { html } = invitationMail({ ...BASE, tenantName: 'Acme "x" & y' }, '<img src=x> Ann & Bob');
    expect(html).not.toContain('<img');
    expect(html).toContain('Ann &amp; Bob invites you to Acme &quot;x&quot; &amp; y on Gatehouse.');
  });
});

describe('a part of text', () => {
  it.each([
    ['plain ASCII', '7bit'],
    ['Zürich', '8bit'],
  ])('%j is sent as %s, with lines as they are', (text, encoding) => {
    const long = `${text}\n${'x'.repeat(500)}\n`;
    expect(textPart('plain', long).raw).toBe(
      `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${text}\r\n${'x'.repeat(500)}\r\n`,
    );
  });
});

const BASE = { baseUrl: 'https://gatehouse.example', to: 'b@corp.example', token: 'T'.repeat(43) };
const LINK = `https://gatehouse.example/accept-invite?token=${BASE.token}`;
