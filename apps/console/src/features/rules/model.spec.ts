import type { RequestDetail } from '../../ui/elevation/request.ts';
import { bodyOf, changesOf, type Draft, draftFrom, draftOf, EMPTY_DRAFT, isRisky, type Rule } from './model.ts';

const draft = (members: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, name: 'A rule', ...members });
const rule = (members: Partial<Draft>) => ({ ...bodyOf(draft({ priority: 10, ...members })) }) as object as Rule;
const request = (members: object) => members as RequestDetail;
const SIGNED = request({
  targetExecutableHash: 'aa',
  targetExecutableSigner: 'Contoso',
  targetExecutablePath: 'C:\\Apps\\setup.exe',
});

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

  it.each([
    ['file', { hash: 'aa' }],
    ['signer_folder', { signer: 'Contoso', pathGlob: 'C:\\Apps\\**' }],
    ['signer', { signer: 'Contoso' }],
  ] as const)('made from a request by its %s', (strictness, criteria) => {
    expect(draftFrom(SIGNED, strictness)?.criteria).toEqual(criteria);
  });

  it('makes no glob of a path that holds the signs of globs', () => {
    const hostile = request({ targetExecutableSigner: 'Contoso', targetExecutablePath: 'C:\\a*\\setup.exe' });
    expect(draftFrom(hostile, 'signer_folder')).toBeNull();
  });

  it('is risky when it grants by a name alone', () => {
    expect(isRisky(draft({ verdict: 'auto_approve', criteria: { pathGlob: '**' } }))).toBe(true);
    expect(isRisky(draft({ verdict: 'auto_approve', criteria: { hash: 'aa' } }))).toBe(false);
    expect(isRisky(draft({ verdict: 'auto_deny', criteria: { pathGlob: '**' } }))).toBe(false);
  });
});
