import { describe, expect, it } from '@jest/globals';
import { acceptsHtml, isView } from './page-request.ts';

describe('the header Accept', () => {
  it.each([
    ['text/html', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json, TEXT/HTML ; charset=utf-8;q=0.2', true],
    ['text/html;q=0', false],
    ['text/html;q=0.000', false],
    ['text/htmlx', false],
    ['x/text/html', false],
    ['*/*', false],
    ['text/*', false],
    ['application/json', false],
    [',,;;,=,q=0', false],
    ['', false],
    [undefined, false],
  ])('%j asks for a page: %s', (accept, expected) => {
    expect(acceptsHtml(accept)).toBe(expected);
  });

  it('is read in linear time', () => {
    expect(acceptsHtml(`${'text/html;q=0,;'.repeat(1_000)}`)).toBe(false);
  });
});

describe('the path', () => {
  it.each([
    '/',
    '/approvals',
    '/approvals/',
    '/orgs/0198b7a2-0000-7000-8000-000000000000/rules/new',
    '/settings/profile',
    '/apiary',
    '/docs-of-ours',
    '/logins',
    '/consoles',
  ])('%s is a view', (path) => {
    expect(isView(path)).toBe(true);
  });

  it.each([
    '/api',
    '/api/v1/nothing',
    '/docs/x',
    '/healthz',
    '/.well-known/x',
    '/console',
    '/console/assets/x',
    '/login',
    '/login/x',
    '/accept-invite/x',
    '/reset-password/x',
    '/robots.txt',
    '/a.b/c',
    '/..',
    '/a/../b',
    '/a%2eb',
    '/%2e%2e/etc/passwd',
    '/a%2Fb',
    '//evil.example',
    '/a//b',
    '/a\\b',
    '/a;b',
    '',
    '*',
    'http://evil.example/',
    `/${'a'.repeat(3_000)}`,
  ])('%s is none', (path) => {
    expect(isView(path)).toBe(false);
  });

  it('is read in linear time', () => {
    expect(isView(`/${'a/'.repeat(990)}!`)).toBe(false);
  });
});
