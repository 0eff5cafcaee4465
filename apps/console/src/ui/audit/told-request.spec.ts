import { createTranslator } from 'use-intl';
import auditActs from '../../words/en/auditActs.json' with { type: 'json' };
import { countOf, outcomeOf, toldRequest } from './told-request.ts';

const SETUP = String.raw`C:\Users\maria\Downloads\setup.exe`;
const PROMPT = { flowType: 'uac_intercept', targetExecutablePath: SETUP, subjectUsername: 'maria' };
const RIGHTS = { flowType: 'tech_jit_admin', targetExecutablePath: null, subjectUsername: 't@x.example' };
const TOOL = { flowType: 'ai_tool_action', toolName: 'manage_service', action: 'restart', requestedByName: 'Ole' };

describe('the sentence of an entry about a request', () => {
  it.each([
    ['pam.elevation_request.approve', PROMPT, `approved ${SETUP} for maria on LT-0412`],
    ['pam.elevation_request.deny', TOOL, 'denied manage_service · restart for Ole on LT-0412'],
    ['pam.elevation_request.expire', PROMPT, `closed ${SETUP} for maria on LT-0412 as expired`],
    [
      'pam.elevation_request.revoke',
      { ...RIGHTS, requestedByName: 'Tess' },
      'revoked administrator rights for Tess on LT-0412',
    ],
    ['pam.approval.approve', PROMPT, `approved ${SETUP} for maria on LT-0412, from a notification`],
    ['device.elevation.actuate', PROMPT, `started ${SETUP} for maria on LT-0412`],
  ])('of %s names the program and the person who asked', (action, details, expected) => {
    expect(sentence(entry(action, details))).toBe(expected);
  });

  it('of a report takes the program from the name, and tells what became of it at once', () => {
    const details = { flowType: 'uac_intercept', subjectUsername: 'maria', status: 'auto_approved' };
    expect(sentence(entry('pam.elevation_request.submit', details, SETUP))).toBe(
      `requested ${SETUP} for maria: granted automatically`,
    );
  });

  it('of an earlier version names the device', () => {
    expect(sentence(entry('pam.elevation_request.approve', {}))).toBe('approved an elevation on LT-0412');
  });

  it('of a freeze counts what it ended', () => {
    const details = { freezeId: 'f', requestIds: ['a', 'b'] };
    expect(sentence(entry('pam.elevation_request.revoke', details, null))).toBe(
      'revoked 2 elevations because of a freeze',
    );
  });

  it.each([
    [{ type: 'revoke_elevation', status: 'completed' }, 'ended an elevation'],
    [{ type: 'actuate_elevation', status: 'completed' }, 'carried out an elevation'],
    [{ outcome: 'timed_out' }, 'got no response in time from LT-0412'],
  ])('of a result %j says what the device did', (details, expected) => {
    expect(sentence(entry('device.elevation.result', details))).toBe(expected);
  });
});

type Told = Parameters<typeof toldRequest>[0];

const entry = (action: string, details: Told['details'], name: string | null = 'LT-0412'): Told => ({
  action,
  details,
  resource: { type: 'pam.elevation_request', id: null, name },
});

const { actors: _whoActed, ...sentences } = auditActs;
/** By the action of an entry, which is a text here. */
const messages: Readonly<Record<string, string>> = sentences;
const words = createTranslator({ locale: 'en', messages });
const plain = (chunks: unknown) => String(chunks);

/** The sentence as it is read, without its typography. */
function sentence(told: Told): string {
  const request = words.markup('request', { ...toldRequest(told), thing: plain, file: plain });
  return words.markup(told.action.replaceAll('.', '_'), {
    done: 'true',
    outcome: outcomeOf(told),
    count: countOf(told),
    name: told.resource.name ?? '',
    thing: plain,
    request: () => request,
  });
}
