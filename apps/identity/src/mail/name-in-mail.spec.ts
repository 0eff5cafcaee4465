import { describe, expect, it } from '@jest/globals';
import { invitationMail } from './templates.ts';
import { nameInMail } from './mail-parts.ts';

describe('a name in a mail (ATK-15d)', () => {
  it.each([
    ['Ann Example', 'Ann Example'],
    ['J.R. St. John-Smith', 'J.R. St. John-Smith'],
    ['Müller & Söhne, Zürich', 'Müller & Söhne, Zürich'],
    ['Ann\r\n\r\nYour account is locked', 'Ann Your account is locked'],
    ['Ann\u2028Line\u2029Paragraph\u0085Next', 'Ann Line Paragraph Next'],
    ['Ann https://evil.example/login', 'Ann'],
    ['see evil.example now', 'see now'],
    ['t.me bit.ly www.evil', 'A colleague'],
    ['evil\uff0eexample \uff45vil\u3002example', 'A colleague'],
    ['go to 192.0.2.1', 'go to'],
    ['ann@evil.example Ann', 'Ann'],
    ['\u202eAnn\u200b', 'Ann'],
    ['mailto:ann //evil \\\\evil', 'A colleague'],
    ['x'.repeat(300), 'x'.repeat(80)],
    ['', 'A colleague'],
  ])('%j is said as %j', (name, said) => {
    expect(nameInMail(name, 'A colleague')).toBe(said);
  });

  it('leaves an invitation with one address, which is ours', () => {
    const { text } = invitationMail(
      { baseUrl: 'https://gatehouse.example', to: 'b@corp.example', token: 'T', tenantName: null },
      'Bob\n\nPay at https://evil.example\n',
    );
    expect(text.match(/https?:\/\/\S+/g)).toEqual(['https://gatehouse.example/accept-invite?token=T']);
    expect(text.split('\n')[0]).toBe('Bob Pay at invites you to Gatehouse.');
  });
});
