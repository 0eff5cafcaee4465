import { describe, expect, it } from '@jest/globals';
import { explanationText } from './explanations.ts';

describe('the text of an explanation', () => {
  it('names what decided, what came close and what came too late', () => {
    const placed = { ruleId: 'r', origin: 'organization' as const, verdict: 'auto_deny' as const };
    const text = explanationText({
      basis: 'as_decided',
      rulebookVersion: 3,
      currentVersion: 4,
      outcome: 'pending',
      source: null,
      held: 'frozen',
      policies: [],
      matched: { ...placed, name: 'Tools', position: 2, editors: [] },
      nearestMisses: [
        {
          ...placed,
          name: 'Acme',
          position: 1,
          met: 1,
          of: 2,
          failed: { criterion: 'user', asked: 'bob', seen: null, seenLength: null, reason: 'absent' },
        },
      ],
      laterMatches: [{ ...placed, name: 'All', position: 7 }],
      default: { verdict: 'auto_deny', used: false },
      demand: null,
      freeze: null,
      shadow: null,
      notes: [],
    });
    expect(text.split('\n')).toEqual([
      'pending, held: frozen (under the rules that decided it)',
      'decided by: rule 2, Tools',
      'came close:',
      '  rule 1, Acme: 1 of 2 criteria; user expected bob, found nothing',
      'came too late: rule 7, All',
    ]);
  });
});
