import { describe, expect, it } from '@jest/globals';
import { requirePlainTarget } from './front-door.ts';

describe('the request target', () => {
  it.each([
    '/',
    '/api/v1/pam/rules',
    '/api/v1/pam/rules/',
    '/api/v1/devices/0190-aa?search=%2e%2e/&x=[]',
    '/.well-known/jwks.json',
    '/api/v1/x?redirect=//evil',
  ])('lets %s through', (target) => {
    expect(refusalCode(target)).toBeNull();
  });

  it.each([
    '/api/v1/%70am/rules',
    '/api/v1/pam%2frules',
    '/api/v1/%2e%2e/x',
    '/api/v1/../internal',
    '/api/v1/./pam',
    '/api//v1',
    '//evil.example/x',
    '/api/v1/pam;x=1',
    '/api\\v1',
    '/api/v1/pam/%00',
    '/api/v1/..',
    '/api/v1/pam/%25',
  ])('knows no %s', (target) => {
    expect(refusalCode(target)).toBe('route_not_found');
  });

  it.each(['http://x/api/v1/pam/rules', '*', '', '/api/\u0007', '/api/v1/é', '/x y', `/${'a'.repeat(8_001)}`])(
    'refuses %j as no address at all',
    (target) => {
      expect(refusalCode(target)).toBe('validation_failed');
    },
  );
});

const refusalCode = (target: string): string | null => {
  try {
    requirePlainTarget(target);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};
