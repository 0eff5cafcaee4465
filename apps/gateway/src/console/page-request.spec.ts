import { describe, expect, it } from '@jest/globals';
import { isView, prefersPage } from './page-request.ts';

describe('the header Accept', () => {
  it.each([
    ['text/html', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['text/*', true],
    ['text/html;q=0.1', true],
    ['TEXT/HTML ; charset=UTF-8;q=0.2, */*;q=0.1', true],
    ['text/html, application/json', true],
    ['*/*, text/html', true],
    ['text/*;q=0.5, application/json;q=0.4', true],
    ['application/json;q=0, */*;q=0.2, text/html;q=0.2', true],
    ['application/problem+json;q=0.5, text/html;q=0.6', true],
    ['application/json, text/html', false],
    ['application/json, text/html;q=0.5', false],
    ['text/html;q=0.5, application/json', false],
    ['text/html;q=0.5, */*', false],
    ['application/*, text/html;q=0.9', false],
    ['application/problem+json, text/html;q=0.999', false],
    ['application/json, TEXT/HTML ; charset=utf-8;q=0.2', false],
    ['text/html;q=0', false],
    ['text/html;q=0.000', false],
    ['text/html;q=0, text/*', false],
    ['text/html;q=2', false],
    ['text/html;q=x', false],
    ['text/html;level=1', false],
    ['text/htmlx', false],
    ['x/text/html', false],
    ['*/*', false],
    ['application/json', false],
    [',,;;,=,q=0', false],
    ['', false],
    [undefined, false],
  ])('%j asks for a page rather than a document: %s (IDY-160)', (accept, expected) => {
    expect(prefersPage(accept)).toBe(expected);
  });

  it('is read in linear time', () => {
    expect(prefersPage(`${'text/html;q=0,;'.repeat(1_000)}`)).toBe(false);
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
