import {
  bodyOf,
  changesOf,
  type Draft,
  draftOf,
  EMPTY_DRAFT,
  type Finding,
  isRisky,
  onlyVerdictDiffers,
  type Rule,
} from './model.ts';

const draft = (members: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, name: 'A rule', ...members });
const rule = (members: Partial<Draft>) => ({ ...bodyOf(draft({ priority: 10, ...members })) }) as object as Rule;

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
