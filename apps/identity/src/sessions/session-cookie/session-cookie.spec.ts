import { describe, expect, it, jest } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { SessionCookie } from './session-cookie.ts';

describe('the session cookie', () => {
  it('is named and secured by the scheme of the public address', () => {
    const tokens = { accessToken: 'a', refreshToken: 'r', inCookie: true };
    expect(setBy((reply) => HTTPS.deliver(reply, tokens))).toBe(
      '__Secure-gatehouse_refresh=r; Max-Age=604800; Path=/api/v1/auth; HttpOnly; SameSite=Strict; Secure',
    );
    expect(setBy((reply) => HTTP.deliver(reply, tokens))).toBe(
      'gatehouse_refresh=r; Max-Age=604800; Path=/api/v1/auth; HttpOnly; SameSite=Strict',
    );
  });

  it('carries the refresh token instead of the body, and only then', () => {
    expect(HTTPS.deliver(aReply().reply, { accessToken: 'a', refreshToken: 'r', inCookie: true })).toEqual({
      accessToken: 'a',
    });
    const inBody = { accessToken: 'a', refreshToken: 'r' };
    expect(setBy((to) => expect(HTTPS.deliver(to, { ...inBody, inCookie: false })).toEqual(inBody))).toBeUndefined();
  });

  it.each([
    ['none', undefined],
    ['that of a neighbouring host', 'https://evil.example.test'],
    ['another scheme', 'http://pam.example.test'],
    ['an opaque one', 'null'],
    ['one that begins alike', 'https://pam.example.test.evil.example'],
  ])('refuses an origin: %s', (_, origin) => {
    const headers = { origin, cookie: '__Secure-gatehouse_refresh=r' };
    expect(() => HTTPS.shown(undefined, headers)).toThrow(expect.objectContaining({ code: 'origin_denied' }));
  });

  it('is not asked of a program, whose body lacks the token', () => {
    const problem = {
      code: 'validation_failed',
      members: { issues: [{ path: 'refreshToken', message: 'is required' }] },
    };
    expect(() => HTTPS.shown(undefined, {})).toThrow(expect.objectContaining(problem));
  });

  it('yields to a token in the body', () => {
    const headers = { origin: 'https://evil.example', cookie: '__Secure-gatehouse_refresh=r' };
    expect(HTTPS.shown('in the body', headers)).toEqual({ refreshToken: 'in the body', inCookie: false });
  });

  it.each([
    ['no cookie', undefined],
    ['an empty one', '__Secure-gatehouse_refresh='],
    ['the name of the other scheme', 'gatehouse_refresh=r'],
    ['two of them', '__Secure-gatehouse_refresh=planted; __Secure-gatehouse_refresh=r'],
  ])('finds no token in %s', (_, cookie) => {
    expect(() => HTTPS.shown(undefined, { ...own, cookie })).toThrow(
      expect.objectContaining({ code: 'refresh_token_invalid' }),
    );
  });
});

const HTTPS = new SessionCookie('https://pam.example.test');
const HTTP = new SessionCookie('http://localhost:3000');
const own = { origin: 'https://pam.example.test' };

/** A reply that keeps the headers that are set on it. */
function aReply(): { reply: FastifyReply; headers: Record<string, unknown> } {
  const headers: Record<string, unknown> = {};
  const reply: Partial<FastifyReply> = {};
  reply.header = jest.fn((name: string, value: unknown) => {
    headers[name] = value;
    return reply as FastifyReply;
  });
  return { reply: reply as FastifyReply, headers };
}

function setBy(act: (reply: FastifyReply) => unknown): unknown {
  const { reply, headers } = aReply();
  act(reply);
  return headers['set-cookie'];
}
