import { describe, expect, it } from '@jest/globals';
import { type FlaggedRequest, flagsOf } from './request-flags.ts';

const TOOL: Partial<FlaggedRequest> = {
  flowType: 'ai_tool_action',
  targetExecutablePath: null,
  targetExecutableSigner: null,
  toolName: 'shell',
};

describe('PAM-90 flagsOf', () => {
  it.each<[string, Partial<FlaggedRequest>, string[]]>([
    ['nothing unusual', {}, []],
    ['a blank signer', { targetExecutableSigner: ' ' }, ['unsigned']],
    ['no signer', { targetExecutableSigner: null }, ['unsigned']],
    ['a download', { targetExecutablePath: 'C:\\Users\\ann\\Downloads\\setup.exe' }, ['user_writable_path']],
    ['a file never seen', { firstSeen: true }, ['first_seen']],
    ['a path with a stream', { targetExecutablePath: 'C:\\Program Files\\a.exe:b' }, ['suspicious_text']],
    ['a share of the device itself', { targetExecutablePath: '\\\\pc-1\\tools\\a.exe' }, ['suspicious_text']],
    ['a share of another machine', { targetExecutablePath: '\\\\pc-2\\tools\\a.exe' }, []],
    ['a command line that hides its direction', { commandLine: 'a \u202e b' }, ['suspicious_text']],
    ['a reason with a zero-width character', { reason: 'up\u200bdate' }, ['suspicious_text']],
    ['a tool without an executable', TOOL, []],
    ['tier 2', { ...TOOL, riskTier: 2 }, []],
    ['tier 3', { ...TOOL, riskTier: 3 }, ['high_tier']],
    [
      'several at once',
      { targetExecutablePath: 'C:\\x.exe', targetExecutableSigner: null, firstSeen: true },
      ['unsigned', 'user_writable_path', 'first_seen'],
    ],
  ])('for %s', (_, request, flags) => expect(flagsOf({ ...ORDINARY, ...request })).toEqual(flags));
});

const ORDINARY: FlaggedRequest = {
  flowType: 'uac_intercept',
  requestedAt: new Date(),
  deviceHostname: 'PC-1',
  subjectUsername: 'CORP\\ann',
  targetExecutablePath: 'C:\\Program Files\\Vendor\\setup.exe',
  targetExecutableSigner: 'Vendor',
  targetExecutablePublisher: null,
  parentImage: 'C:\\Windows\\explorer.exe',
  commandLine: 'setup.exe /S',
  toolName: null,
  riskTier: null,
  reason: null,
  firstSeen: false,
};
