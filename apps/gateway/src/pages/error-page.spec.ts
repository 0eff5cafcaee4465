import { describe, expect, it } from '@jest/globals';
import { errorPage, wantsPage } from './error-page.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('an error', () => {
  it.each([
    ['/nowhere', BROWSER, true],
    ['/api/v1/sso/login/o', BROWSER, true],
    ['/api/v1/sso/saml/acs', BROWSER, true],
    ['/api/v1/sso/callback?state=x', BROWSER, true],
    ['/api/v1/users', BROWSER, false],
    ['/api/v1/sso/providers', BROWSER, false],
    ['/api/v1/sso/login/o', '*/*', false],
    ['/nowhere', 'application/json', false],
    ['/nowhere', undefined, false],
  ])('at %s for a client that accepts %s is a page: %s', (url, accept, expected) => {
    expect(wantsPage({ url, headers: accept === undefined ? {} : { accept } })).toBe(expected);
  });

  it('is explained in words, with the request id', () => {
    expect(errorPage(problem)).toMatch(/<h1>Page not found<\/h1>[^]*Request ID: r-1</);
    expect(errorPage({ ...problem, code: 'internal_error' })).toContain('<h1>Something went wrong</h1>');
  });

  it('leads to the other sign-in address only when it is one of ours', () => {
    const mismatch = { ...problem, code: 'sso_protocol_mismatch' as const };
    const leadingTo = (loginUrl: string): string => errorPage({ ...mismatch, loginUrl } as typeof mismatch);
    expect(leadingTo('/api/v1/sso/saml/login/o')).toContain('href="/api/v1/sso/saml/login/o"');
    for (const foreign of ['https://evil.example/', '//evil.example', 'javascript:alert(1)'])
      expect(leadingTo(foreign)).not.toContain(foreign);
  });

  it('never lets a value become markup', () => {
    expect(errorPage({ ...problem, requestId: '"><script>' })).not.toContain('<script>');
  });
});

const problem = { type: 'x', title: 'x', status: 404, detail: 'x', code: 'route_not_found', requestId: 'r-1' } as const;
