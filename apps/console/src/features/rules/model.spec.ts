import {
  bodyOf,
  changesOf,
  type Draft,
  draftOf,
  EMPTY_DRAFT,
  EMPTY_PARTNER_DRAFT,
  type Finding,
  isComplete,
  isRisky,
  type ListedRule,
  optOutAllowed,
  onlyVerdictDiffers,
  ownRules,
  partnerRulesAt,
  placedAt,
  type Rule,
  verdictsAt,
  weekOf,
  withOwnRules,
} from './model.ts';

describe('a rule while it is edited', () => {
  it('sends absent criteria as null and numbers as numbers', () => {
    expect(bodyOf(draft({ criteria: { riskTier: '3', hash: ' ' } }))).toMatchObject({
      matchRiskTier: 3,
      matchHash: null,
      matchNegate: null,
    });
  });

  it('drops the negation of a criterion that is not there', () => {
    const negated = ['hash', 'user'] as const;
    expect(bodyOf(draft({ criteria: { user: 'maria' }, negated })).matchNegate).toEqual(['user']);
  });

  it('sends only the members that changed', () => {
    const before = rule({ criteria: { user: 'maria' } });
    expect(changesOf(before, { ...draftOf(before), name: 'Other', criteria: {} })).toEqual({
      name: 'Other',
      matchUser: null,
    });
  });

  it('made from what the API proposes keeps its criteria, its verdict and its end', () => {
    const expiresAt = '2027-05-01T12:00:00.000Z';
    const proposed = { name: 'setup.exe (strict)', verdict: 'auto_approve', matchHash: 'aa', expiresAt } as const;
    expect(draftOf(proposed)).toEqual(
      draft({ name: 'setup.exe (strict)', verdict: 'auto_approve', criteria: { hash: 'aa' }, expiresAt }),
    );
  });

  it('is risky when it grants by a name alone, or when the linter finds a fault in what it lets through', () => {
    const fault = [{ severity: 'error' }] as Finding[];
    const byName = draft({ verdict: 'auto_approve', criteria: { pathGlob: '**' } });
    const byHash = draft({ verdict: 'auto_approve', criteria: { hash: 'aa' } });
    expect([isRisky(byName, []), isRisky(byHash, []), isRisky(byHash, fault)]).toEqual([true, false, true]);
    expect(isRisky({ ...byName, verdict: 'auto_deny' }, fault)).toBe(false);
  });

  it('tells a choice of verdict from other changes', () => {
    const before = draft({});
    expect(onlyVerdictDiffers(before, { ...before, verdict: 'ignore' })).toBe(true);
    expect(onlyVerdictDiffers(before, { ...before, verdict: 'ignore', name: 'Other' })).toBe(false);
  });
});

describe('a rule of the partner', () => {
  it('before the rules of organisations only denies or asks', () => {
    expect(verdictsAt('before')).toEqual(['require_approval', 'auto_deny']);
    expect([verdictsAt('after'), verdictsAt(null)].map(({ length }) => length)).toEqual([4, 4]);
  });

  it.each([
    ['auto_approve', 'before', 'require_approval'],
    ['ignore', 'before', 'require_approval'],
    ['auto_deny', 'before', 'auto_deny'],
    ['auto_approve', 'after', 'auto_approve'],
  ] as const)('that would %s becomes at the place %s one that would %s', (verdict, place, expected) => {
    expect(placedAt(draft({ verdict }), place)).toMatchObject({ precedence: place, verdict: expected });
  });

  it('begins as one that denies before the others and holds everywhere', () => {
    const body = bodyOf({ ...EMPTY_PARTNER_DRAFT, name: 'Games', criteria: { signer: 'Valve' } });
    expect(body).toMatchObject({ precedence: 'before', optOut: 'none', verdict: 'auto_deny', siteId: null });
    expect(isComplete(EMPTY_PARTNER_DRAFT)).toBe(false);
  });

  it('sends its place and its way out, which a rule of an organisation does not have', () => {
    expect(Object.keys(bodyOf(draft({})))).not.toContain('precedence');
    const before = rule({ precedence: 'before', optOut: 'none' });
    expect(changesOf(before, { ...draftOf(before), optOut: 'allowed' })).toEqual({ optOut: 'allowed' });
  });

  it.each([
    ['before', 'none', false],
    ['before', 'allowed', true],
    ['after', 'none', true],
    ['after', 'allowed', true],
  ] as const)('%s the others with the way out %s may be left: %s', (precedence, optOut, expected) =>
    expect(optOutAllowed({ precedence, optOut })).toBe(expected),
  );
});

describe('the rules that reach an organisation', () => {
  it('are its own between those of its partner', () => {
    const parts = [partnerRulesAt(rules, 'before'), ownRules(rules), partnerRulesAt(rules, 'after')];
    expect(parts.map(ids)).toEqual([['denied'], ['a', 'b'], ['baseline']]);
  });

  it('stay around them when these get another order', () => {
    const [first, second] = ownRules(rules);
    expect(ids(withOwnRules(rules, [second!, first!]))).toEqual(['denied', 'b', 'a', 'baseline']);
  });

  const one = (id: string, precedence: ListedRule['precedence'] = null) =>
    ({ id, precedence, orgId: precedence === null ? 'acme' : null }) as ListedRule;
  const rules = [one('denied', 'before'), one('a'), one('b'), one('baseline', 'after')];
  const ids = (some: readonly ListedRule[]) => some.map(({ id }) => id);
});

it.each([
  ['en-GB', [1, 2, 3, 4, 5, 6, 0]],
  ['en-US-u-hc-h12', [0, 1, 2, 3, 4, 5, 6]],
])('the week of %s begins where its people begin it', (locale, days) => expect(weekOf(locale)).toEqual(days));

const draft = (members: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, name: 'A rule', ...members });
const rule = (members: Partial<Draft>) => ({ ...bodyOf(draft({ priority: 10, ...members })) }) as object as Rule;
