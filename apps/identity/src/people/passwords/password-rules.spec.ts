import { describe, expect, it } from '@jest/globals';
import { isCommon } from './passwords.ts';

describe('isCommon', () => {
  it.each([
    'password1234',
    'PASSWORD12345!',
    'Qwertyuiop123',
    '123456789012',
    'aaaaaaaaaaaa',
    'abababababab',
    'Administrator1!',
    'correcthorsebatterystaple',
    'ｐａｓｓｗｏｒｄ1234',
  ])('refuses %s', (password) => {
    expect(isCommon(password)).toBe(true);
  });

  it.each([
    'a rather long first password',
    'an uncommon pass phrase',
    'tr0ubador&3-kelp-forest',
    'пароль из многих слов',
  ])('takes %s', (password) => {
    expect(isCommon(password)).toBe(false);
  });
});
