import { describe, expect, it } from '@jest/globals';
import type { MetadataReason } from '@gatehouse/contracts-identity';
import { decideMetadata, type MetadataContent, type WatchedProvider } from '../index.ts';

const NOW = 1_000;
const certificate = (sha256: string, validUntil = 9_000 + sha256.charCodeAt(0)) => ({ sha256, validUntil });
const [A, B, C] = ['a', 'b', 'c'].map((sha256) => certificate(sha256)) as [Fact, Fact, Fact];
const EXPIRED = certificate('x', NOW - 1);

describe('what metadata change', () => {
  it.each<Case>([
    ['adds the next certificate beside the present one', [A], [A, B], {}, 'certificate_added', ['a', 'b']],
    ['drops a certificate once the other is proven', [A, B], [B], { verified: ['b'] }, 'certificate_withdrawn', ['b']],
    ['drops a certificate that has run out', [EXPIRED, B], [B], {}, 'certificate_expired', ['b']],
    ['first adds and then drops', [A, B], [B, C], { verified: ['b'] }, 'certificate_added', ['b', 'c']],
    ['makes room by what has run out', [EXPIRED, B], [B, C], {}, 'certificate_added', ['b', 'c']],
  ])('by itself %s (SSO-123, SSO-124)', (...[, trusted, listed, more, reason, certificates]) => {
    const found = decideMetadata(provider(trusted, more), document(listed), NOW);
    expect(found).toMatchObject({ isAutomatic: true, reason });
    expect([...(found?.certificates ?? [])].sort()).toEqual(certificates);
  });

  it.each<Case>([
    ['only a new certificate', [A], [B], {}, 'no_trusted_certificate', ['b']],
    ['a new certificate beside one that has run out', [EXPIRED], [EXPIRED, B], {}, 'no_trusted_certificate', ['b']],
    ['a third certificate', [A, B], [A, B, C], { verified: ['a'] }, 'no_room', ['a', 'c']],
    ['a withdrawal before the other is proven', [A, B], [B], { verified: ['a'] }, 'not_verified', ['b']],
    ['anything under a policy of approval', [A], [A, B], { metadataPolicy: 'hold' }, 'policy_hold', ['a', 'b']],
    [
      'a certificate on the host of another',
      [A],
      [A, B],
      { metadataUrl: 'https://evil.example/m' },
      'other_host',
      ['a', 'b'],
    ],
    [
      'a certificate on another port of the host',
      [A],
      [A, B],
      { metadataUrl: 'https://idp.example:8443/m' },
      'other_host',
      ['a', 'b'],
    ],
  ])('holds %s (SSO-125)', (...[, trusted, listed, more, reason, certificates]) => {
    const found = decideMetadata(provider(trusted, more), document(listed), NOW);
    expect(found).toMatchObject({ isAutomatic: false, reason });
    expect([...(found?.certificates ?? [])].sort()).toEqual(certificates);
  });

  it.each<[string, readonly Fact[], readonly Fact[], Partial<WatchedProvider>]>([
    ['the same certificates', [A, B], [B, A], {}],
    ['the same beside one that has run out', [A], [A, EXPIRED], {}],
    ['no usable certificate', [A], [EXPIRED], {}],
    ['a certificate that a person dismissed', [A], [A, B], { decided: ['b'] }],
    ['the withdrawal of a certificate that a person wants', [A, B], [B], { verified: ['b'], decided: ['a'] }],
  ])('is nothing for %s (SSO-126)', (_, trusted, listed, more) => {
    expect(decideMetadata(provider(trusted, more), document(listed), NOW)).toBeNull();
  });

  it('holds another address together with its certificates', () => {
    expect(decideMetadata(provider([A]), document([B], { ssoUrl: 'https://evil.example' }), NOW)).toEqual({
      isAutomatic: false,
      reason: 'sso_url_changed',
      entityId: 'urn:idp',
      ssoUrl: 'https://evil.example',
      certificates: ['b'],
    });
  });
});

type Fact = ReturnType<typeof certificate>;
type Case = [string, Fact[], Fact[], Partial<WatchedProvider>, MetadataReason, string[]];

const provider = (certificates: readonly Fact[], more: Partial<WatchedProvider> = {}): WatchedProvider => ({
  entityId: 'urn:idp',
  ssoUrl: 'https://idp.example/sso',
  metadataUrl: 'https://idp.example/metadata',
  metadataPolicy: 'auto_certificates',
  certificates,
  verified: [],
  decided: [],
  ...more,
});
const document = (certificates: readonly Fact[], more: Partial<MetadataContent> = {}): MetadataContent => ({
  entityId: 'urn:idp',
  ssoUrl: 'https://idp.example/sso',
  certificates,
  ...more,
});
