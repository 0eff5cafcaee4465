import { describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import { createLogger } from './logging.ts';

const SECRET = 'Zx81-this-is-secret';

describe('the log', () => {
  it('says why something was refused (ATK-26a)', () => {
    expect(logged({ code: 'session_expired', provider: 'p', requestId: 'r' })).toMatchObject({
      code: 'session_expired',
      provider: 'p',
      requestId: 'r',
    });
    const err = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(logged({ err, details: { code: 'mfa_required' } })).toMatchObject({
      err: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
      details: { code: 'mfa_required' },
    });
  });

  it.each<[string, object]>([
    ...[
      'password',
      'newPassword',
      'currentPassword',
      'clientSecret',
      'accessToken',
      'refreshToken',
      'idToken',
      'mfaToken',
      'token',
      'secret',
      'agentToken',
      'enrollmentKey',
      'codeVerifier',
      'SAMLResponse',
      'ssoCode',
      'client_secret',
      'access_token',
      'refresh_token',
      'id_token',
      'code_verifier',
    ].flatMap((name): [string, object][] => [
      [name, { [name]: SECRET }],
      [`body.${name}`, { body: { [name]: SECRET } }],
      [`request.body.${name}`, { request: { body: { [name]: SECRET } } }],
    ]),
    ...['authorization', 'cookie', 'set-cookie', 'x-api-key', 'x-gatehouse-identity'].flatMap(
      (name): [string, object][] => [
        [name, { [name]: SECRET }],
        [`headers.${name}`, { headers: { [name]: SECRET } }],
        [`request.headers.${name}`, { request: { headers: { [name]: [SECRET] } } }],
      ],
    ),
    ...[
      'body.code',
      'form.code',
      'query.code',
      'query.state',
      'query.handle',
      'body.key',
      'data.key',
      'form.RelayState',
    ].flatMap((path): [string, object][] => {
      const [place = '', name = ''] = path.split('.');
      return [
        [path, { [place]: { [name]: SECRET } }],
        [`request.${path}`, { request: { [place]: { [name]: SECRET } } }],
      ];
    }),
    [
      'the query of an address',
      { url: `/api/v1/sso/callback?code=${SECRET}&state=${SECRET}`, request: { url: `/x?token=${SECRET}` } },
    ],
    ['the fragment of an address', { location: `http://app.example/#ssoCode=${SECRET}` }],
    [
      'what a statement was given',
      {
        err: Object.assign(new Error('query failed'), { parameters: [SECRET], driverError: { parameters: [SECRET] } }),
      },
    ],
  ])('never holds %s (ATK-26b)', (_, facts) => {
    const line = logged(facts);
    expect(line['message']).toBe('a message');
    expect(JSON.stringify(line)).not.toContain('Zx81');
  });

  it('keeps the path of an address (ATK-26a)', () => {
    expect(logged({ url: '/api/v1/sso/callback?code=x' })['url']).toBe('/api/v1/sso/callback');
  });
});

/** The fields of one logged line. */
function logged(facts: object): Record<string, unknown> {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk: Buffer, _, done) => (lines.push(chunk.toString()), done()) });
  createLogger('identity', 'debug', destination).warn(facts, 'a message');
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}
