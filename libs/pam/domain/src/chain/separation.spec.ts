import type { Verdict } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { aRule, aRulebook, AT_HQ, MONDAY_NOON, seen } from '../builders-spec.ts';
import {
  type ApprovalPolicy,
  decide,
  type Decision,
  type Former,
  type FormerGroup,
  type JustificationPolicy,
  NO_FORMER,
  NO_JUSTIFICATION,
  type Rule,
  type RuleEditor,
  type SoftwarePolicy,
} from '../index.ts';

const grant = aRule({ id: 'grant', name: 'grant', matchHash: 'anything', matchNegate: ['hash'] });

describe('editors of signer groups', () => {
  it.each(['auto_deny', 'require_approval'] as const)(
    'PAM-304 are who took the signer out of the group of a rule with the verdict %s',
    (verdict) => {
      const [strict, signers] = [[ofGroup(verdict)], ['Acme Ltd']];
      expect(heldFor({ strict, signers, groups: [before(['Acme Ltd', 'Mallory Ltd'])] })).toBe('separation_of_duties');
      expect(heldFor({ strict, signers, groups: [before(['Other Ltd'])] })).toBeNull();
      expect(heldFor({ strict: [ofGroup('auto_approve')], signers, groups: [before(['Mallory Ltd'])] })).toBeNull();
    },
  );

  it('PAM-304 are who put the signer into the group that a denial leaves out', () => {
    const strict = [ofGroup('auto_deny', { matchNegate: ['signerGroup'] })];
    expect(heldFor({ strict, signers: ['Mallory Ltd'], groups: [before([])] })).toBe('separation_of_duties');
  });

  it('PAM-304 are compared by the last signers of a group that was deleted after its denial', () => {
    const rules = [{ state: ofGroup('auto_deny'), endedBy: EVE }];
    expect(heldFor({ strict: [], rules, groups: [before(['Mallory Ltd'])] })).toBe('separation_of_duties');
    expect(heldFor({ strict: [], rules, groups: [] })).toBeNull();
  });
});

describe('editors of what is no more', () => {
  it('PAM-304 of a question are none where the request waits all the same, of a denial they are', () => {
    const barredAfter = (verdict: Verdict) => decisionOn({ strict: [asks], rules: [ended(verdict)] }).barred?.editors;
    expect([barredAfter('require_approval'), barredAfter('auto_deny')]).toEqual([[], ['eve']]);
  });

  it('PAM-304 of a question must not vote on the grant that is held for it', () => {
    const { held, barred } = decisionOn({ strict: [], rules: [ended('require_approval')] });
    expect({ held, editors: barred?.editors }).toEqual({ held: 'separation_of_duties', editors: ['eve'] });
  });

  it('PAM-304 of a blocklist are those of a list for the place of the device', () => {
    const heldAfter = (siteId: string) => {
      const target = { level: 'site', id: siteId } as const;
      const state = {
        id: 'list',
        name: 'list',
        mode: 'blocklist',
        target,
        rules: [{ name: 'x', pathGlob: '**' }],
      } as const;
      return heldFor({ strict: [], policies: [{ state, endedBy: EVE }] });
    };
    expect([heldAfter('elsewhere'), heldAfter('HQ')]).toEqual([null, 'separation_of_duties']);
  });

  it('PAM-304 of the demand for a ticket are its editors also where a reason is missing besides', () => {
    const state = {
      reason: { mode: 'required', minLetters: 9 },
      ticket: { mode: 'required', masks: [], hint: null },
      prompts: { hold: false },
    } as const;
    const { barred } = decisionOn({ strict: [asks], justifications: [{ state, endedBy: EVE }] });
    expect(barred?.editors).toEqual(['eve']);
  });

  it('PAM-304 of the hold of unjustified prompts must not vote on the grant that is held for it', () => {
    const state = { ...NO_JUSTIFICATION, prompts: { hold: true } };
    const { held, barred } = decisionOn({ strict: [], justifications: [{ state, endedBy: EVE }] });
    expect({ held, editors: barred?.editors }).toEqual({ held: 'separation_of_duties', editors: ['eve'] });
  });

  it('PAM-304 of a level are who let it be granted automatically', () => {
    const level = { name: 'all', approvals: 2, pendingMinutes: 60 };
    const withLevel = (automaticGrants: boolean) => ({ ...SEPARATED, levels: [{ ...level, automaticGrants }] });
    const after = (automaticGrants: boolean, strict: readonly Rule[] = []) =>
      decisionOn({
        strict,
        approvalPolicy: withLevel(automaticGrants),
        approvalPolicies: [{ state: withLevel(false), endedBy: EVE }],
      });
    expect(after(true)).toMatchObject({ held: 'separation_of_duties', barred: { editors: ['eve'] } });
    expect(after(false)).toMatchObject({ held: 'approval_level', barred: { editors: [] } });
    expect(after(true, [asks])).toMatchObject({ held: null, barred: { editors: [] } });
  });

  const asks = aRule({ ...grant, verdict: 'require_approval' });
  const ended = (verdict: Verdict) => ({ state: aRule({ ...grant, id: 'old', verdict }), endedBy: EVE });
});

it('PAM-372 of the levels of former places the strictest counts, also for what a rule would grant', () => {
  const level = (id: string, approvals: number) => ({ name: id, siteIds: [id], approvals, pendingMinutes: 60 });
  const approvalPolicy = {
    levels: [level('old', 2), level('older', 3)],
    default: { approvals: 1, pendingMinutes: null },
    separation: { ruleEditors: false, aiRequester: false },
  };
  const rulebook = aRulebook({ rules: [grant], approvalPolicy });
  const after = (formerPlaces: string[]) => decide(seen({ hash: 'h', place: { ...AT_HQ, formerPlaces } }), rulebook);
  expect(after([])).toMatchObject({ outcome: 'auto_approved', held: null });
  expect(after(['old', 'older'])).toMatchObject({
    outcome: 'pending',
    held: 'approval_level',
    demand: { approvals: 3 },
  });
});

const EVE: RuleEditor = { userId: 'eve', name: 'Eve', email: 'eve@x.example', isAuthor: false, editedAt: MONDAY_NOON };
const ofGroup = (verdict: Verdict, more: Partial<Rule> = {}): Rule =>
  aRule({ id: 'strict', name: 'strict', verdict, matchSignerGroupId: 'group', ...more });

interface Book {
  readonly strict: readonly Rule[];
  readonly groups?: readonly Former<FormerGroup>[];
  readonly signers?: readonly string[];
  readonly rules?: readonly Former<Rule>[];
  readonly policies?: readonly Former<SoftwarePolicy>[];
  readonly justifications?: readonly Former<JustificationPolicy>[];
  readonly approvalPolicies?: readonly Former<ApprovalPolicy>[];
  /** The present one; {@link SEPARATED} unless given. */
  readonly approvalPolicy?: ApprovalPolicy;
}

const SEPARATED: ApprovalPolicy = {
  levels: [],
  default: { approvals: 1, pendingMinutes: null },
  separation: { ruleEditors: true, aiRequester: false },
};

/** What becomes of a prompt of Eve's, for a program that Mallory Ltd has signed. */
function decisionOn({ strict, signers, approvalPolicy = SEPARATED, ...former }: Book): Decision {
  const rulebook = aRulebook({
    rules: [...strict, grant],
    signerGroups: new Map(signers ? [['group', signers]] : []),
    approvalPolicy,
    former: { ...NO_FORMER, ...former },
  });
  const observation = seen({
    path: 'C:\\Tools\\x.exe',
    signer: 'Mallory Ltd',
    hash: 'h',
    username: 'eve',
    requesterId: 'eve',
  });
  return decide(observation, rulebook);
}
const heldFor = (book: Book): string | null => decisionOn(book).held;

const before = (signers: readonly string[]): Former<FormerGroup> => ({ state: { id: 'group', signers }, endedBy: EVE });
