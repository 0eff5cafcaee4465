import { describe, expect, it } from '@jest/globals';
import { acknowledgementFault, type ContactCandidate, ContactMatcher, type KnownContact } from './contact-import.ts';

const link = { externalSystem: 'crm', externalId: '1' };

describe('matching imported contacts', () => {
  it('lets the closest kind of match decide: external id, then e-mail, then name', () => {
    const matcher = new ContactMatcher([
      known('a', { ...link, name: 'X' }),
      known('b', { email: 'b@x' }),
      known('c', { name: 'Cee' }),
    ]);
    expect(matcher.judge(row({ ...link, name: 'Cee' }))).toEqual({ annotation: 'link-match', contactId: 'a' });
    expect(matcher.judge(row({ email: 'B@X', name: 'X' }))).toEqual({ annotation: 'email-match', contactId: 'b' });
    expect(matcher.judge(row({ name: ' cee ' }))).toEqual({ annotation: 'name-match', contactId: 'c' });
    expect(matcher.judge(row({ name: 'new' }))).toEqual({ annotation: 'create', contactId: null });
  });

  it('never guesses', () => {
    const matcher = () =>
      new ContactMatcher([
        known('a', { ...link }),
        known('b', { email: 'x@x', name: 'Twin' }),
        known('c', { email: 'x@x', name: 'Twin' }),
        known('d', { email: 'd@x' }),
      ]);
    expect(matcher().judge(row({ email: 'x@x' }))).toMatchObject({
      annotation: 'conflict',
      conflictReason: 'ambiguous-email',
    });
    expect(matcher().judge(row({ name: 'twin' }))).toMatchObject({
      annotation: 'conflict',
      conflictReason: 'ambiguous-name',
    });
    expect(matcher().judge(row({ ...link, email: 'd@x' }))).toMatchObject({
      annotation: 'conflict',
      conflictReason: 'email-of-another-contact',
    });
  });

  it('keeps organisations apart', () => {
    expect(
      new ContactMatcher([known('a', { email: 'a@x', orgId: 'other' })]).judge(row({ email: 'a@x' })).annotation,
    ).toBe('create');
  });

  it.each<[string, Partial<ContactCandidate>, Partial<ContactCandidate>, string]>([
    ['the same address', { email: 'a@x', name: 'A' }, { email: 'a@x', name: 'B' }, 'conflict'],
    ['the same external id', { ...link, email: 'a@x' }, { ...link, email: 'b@x' }, 'conflict'],
    ['nothing but the same name', { name: 'A' }, { name: 'a' }, 'conflict'],
    ['the same name at different addresses', { name: 'A', email: 'a@x' }, { name: 'A', email: 'b@x' }, 'create'],
  ])('judges two new rows with %s', (_, first, second, annotation) => {
    const matcher = new ContactMatcher([]);
    expect(matcher.judge(row(first)).annotation).toBe('create');
    expect(matcher.judge(row(second)).annotation).toBe(annotation);
  });

  it('takes two rows for one contact as a repetition', () => {
    const matcher = new ContactMatcher([known('a', { ...link, email: 'a@x' })]);
    matcher.judge(row({ ...link }));
    expect(matcher.judge(row({ email: 'a@x' }))).toMatchObject({
      annotation: 'conflict',
      conflictReason: 'duplicate-row',
      contactId: 'a',
    });
  });
});

describe('acknowledging what the preview said', () => {
  it.each([
    [{}, 'create', null],
    [{}, 'email-match', null],
    [{}, 'name-match', 'match-unconfirmed'],
    [{ expectedAnnotation: 'name-match' as const, expectedContactId: 'a' }, 'name-match', null],
    [{ expectedAnnotation: 'create' as const }, 'email-match', 'annotation-changed'],
    [{ expectedAnnotation: 'email-match' as const, expectedContactId: 'b' }, 'email-match', 'match-changed'],
    [{ expectedContactId: null }, 'email-match', 'match-changed'],
    [{ expectedContactId: null }, 'create', null],
  ] as const)('with %j and now %s: %s', (echo, annotation, fault) => {
    expect(acknowledgementFault(echo, { annotation, contactId: annotation === 'create' ? null : 'a' })).toBe(fault);
  });
});

const row = (fields: Partial<ContactCandidate> = {}): ContactCandidate => ({
  orgId: 'o',
  name: null,
  email: null,
  externalId: null,
  externalSystem: null,
  ...fields,
});
const known = (id: string, fields: Partial<ContactCandidate>): KnownContact => ({ id, ...row(fields) });
