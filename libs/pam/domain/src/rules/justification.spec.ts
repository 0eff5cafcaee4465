import { describe, expect, it } from '@jest/globals';
import { processorMilliseconds } from '../processor-time-spec.ts';
import {
  fitsMask,
  isJustified,
  type Justification,
  justificationGap,
  type JustificationPolicy,
  lacksTicket,
  lettersIn,
  NO_JUSTIFICATION,
} from '../index.ts';

describe('PAM-211 the mask of a ticket', () => {
  it.each([
    ['INC-####', 'INC-0042'],
    ['INC-####', 'inc-0042'],
    ['@@-#', 'ab-1'],
    ['CHG*', 'CHG-2026-x'],
    ['*-*', 'a-b-c'],
    ['*', '0'],
    ['a.b', 'A.B'],
    ['[#]', '[7]'],
  ])('%s fits %s', (mask, ticket) => expect(fitsMask(ticket, mask)).toBe(true));

  it.each([
    ['INC-####', 'INC-042'],
    ['INC-####', 'INC-00421'],
    ['INC-####', 'xINC-0042'],
    ['INC-####', 'INC-٠٠٤٢'],
    ['@#', '1a'],
    ['@', 'é'],
    ['@', '\u212a'],
    ['CHG*', 'CHG'],
    ['CHG*', 'CHG 1'],
    ['CHG*', 'CHG-1\r\n'],
    ['*-*', '--'],
    ['a.b', 'axb'],
    ['*', ''],
  ])('%s does not fit %j', (mask, ticket) => expect(fitsMask(ticket, mask)).toBe(false));

  it('is compared in linear time (TICKET-01)', () => {
    const began = processorMilliseconds();
    for (let n = 0; n < 100; n++) expect(fitsMask(`${'a'.repeat(99)}!`, '*'.repeat(60))).toBe(false);
    expect(processorMilliseconds() - began).toBeLessThan(2000);
  });
});

describe('PAM-211 the letters of a reason', () => {
  it.each([
    ['.', 0],
    ['aaaaaaaa', 3],
    ['aAaA', 3],
    ['printer driver', 12],
    ['42', 2],
    ['ключ', 4],
  ])('%s has %i', (text, letters) => expect(lettersIn(text)).toBe(letters));
});

const policy = (reason: object, ticket: object = {}): JustificationPolicy => ({
  reason: { ...NO_JUSTIFICATION.reason, ...reason },
  ticket: { ...NO_JUSTIFICATION.ticket, ...ticket },
  prompts: { hold: true },
});
const OPTIONAL = policy({});
const REASON = policy({ mode: 'required', minLetters: 5 });
const TICKET = policy({}, { mode: 'required', masks: ['INC-#', 'CHG*'] });
const MASKED = policy({}, { mode: 'optional', masks: ['INC-#'] });
const ANY_TICKET = policy({}, { mode: 'required' });
const OFF = policy({}, { mode: 'off', masks: ['INC-#'] });

describe('PAM-210 a justification', () => {
  it.each<[string, JustificationPolicy, Justification, ReturnType<typeof justificationGap>]>([
    ['nothing where nothing is asked', OPTIONAL, {}, null],
    ['no reason', REASON, {}, 'justification_required'],
    ['a reason with too few letters', REASON, { reason: 'aaaa b' }, 'justification_required'],
    ['a reason of one character', REASON, { reason: 'aaaaaaaa' }, 'justification_required'],
    ['a dot where any reason does', policy({ mode: 'required' }), { reason: '.' }, 'justification_required'],
    ['a long enough reason', REASON, { reason: 'driver' }, null],
    ['no ticket', TICKET, { reason: 'driver' }, 'ticket_required'],
    ['a blank ticket', TICKET, { ticket: '  ' }, 'ticket_required'],
    ['a foreign ticket', TICKET, { ticket: 'X-1' }, 'ticket_invalid'],
    ['a ticket', TICKET, { ticket: ' inc-1 ' }, null],
    ['a ticket of another mask', TICKET, { ticket: 'CHG-9' }, null],
    ['no ticket where it is optional', MASKED, {}, null],
    ['a foreign ticket where it is optional', MASKED, { ticket: 'X-1' }, 'ticket_invalid'],
    ['any ticket without masks', ANY_TICKET, { ticket: '<b>' }, null],
    ['any ticket where none is asked for', OFF, { ticket: 'X-1' }, null],
  ])('of %s', (_, asked, given, gap) => expect(justificationGap(asked, given)).toBe(gap));

  it('lacks a ticket only where one is required', () => {
    const lacking = [TICKET, MASKED, ANY_TICKET, OFF].map((asked) => lacksTicket(asked, { ticket: null }));
    expect([lacking, lacksTicket(TICKET, { ticket: 'X-1' })]).toEqual([[true, false, true, false], true]);
  });

  it.each<[JustificationPolicy, Justification, boolean]>([
    [OPTIONAL, {}, false],
    [OPTIONAL, { reason: '.' }, false],
    [OPTIONAL, { reason: 'driver' }, true],
    [OPTIONAL, { ticket: 'INC-1' }, true],
    [REASON, { ticket: 'INC-1' }, false],
    [TICKET, { reason: 'driver' }, false],
    [TICKET, { ticket: 'INC-1' }, true],
  ])('PAM-212 of a prompt under %j: %j', (asked, given, justified) => {
    expect(isJustified(asked, given)).toBe(justified);
  });
});
