import { describe, expect, it } from '@jest/globals';
import { aRule, aRulebook, seen } from '../builders-spec.ts';
import { decide, type Rule } from '../index.ts';
import { processorMilliseconds } from '../processor-time-spec.ts';

describe('the speed of deciding', () => {
  it('is a million rules a second and more on one core, with a thousand rules', () => {
    const rulebook = aRulebook({
      rules: Array.from({ length: RULES }, (_, n) =>
        aRule({ id: String(n), name: `rule ${n}`, ...KINDS[n % KINDS.length]?.(n) }),
      ),
    });
    const observation = seen({
      path: 'C:\\Program Files\\Other Vendor\\setup.exe',
      signer: 'Other Vendor',
      hash: 'f'.repeat(64),
      username: 'CORP\\ann',
      commandLine: 'setup.exe /S',
    });
    const started = processorMilliseconds();
    for (let n = 0; n < DECISIONS; n++) expect(decide(observation, rulebook).outcome === 'pending').toBe(true);
    const seconds = (processorMilliseconds() - started) / 1000;
    expect((RULES * DECISIONS) / seconds).toBeGreaterThan(1_000_000);
  });

  describe('has a bound', () => {
    it('beyond which a person decides, each time, whatever globs are asked for', () => {
      const policies = [
        {
          id: 'p',
          name: 'p',
          mode: 'blocklist' as const,
          target,
          rules: globs(2000, (n) => `**${n}${'?'.repeat(1000)}**`),
        },
      ];
      const rulebook = aRulebook({ policies, defaultVerdict: 'auto_deny' });
      const began = processorMilliseconds();
      for (let n = 0; n < 3; n++)
        expect(decide(seen({ path: 'a'.repeat(32_000) }), rulebook)).toMatchObject({
          outcome: 'pending',
          source: null,
          held: 'effort_exceeded',
        });
      expect(processorMilliseconds() - began).toBeLessThan(2000);
    });

    it('beyond which a person decides, also when no glob gets beyond its fixed beginning', () => {
      const policies = [
        {
          id: 'p',
          name: 'p',
          mode: 'blocklist' as const,
          target,
          rules: globs(30_000, (n) => `${'a'.repeat(900)}${n}/*`),
        },
      ];
      expect(decide(seen({ path: 'a'.repeat(32_000) }), aRulebook({ policies })).held).toBe('effort_exceeded');
    });

    it('beyond which a person decides, whatever parts of a command line are asked for', () => {
      const rules = Array.from({ length: 2000 }, (_, n) =>
        aRule({ id: String(n), verdict: 'auto_deny', matchCommandLine: `${'a'.repeat(1000)}b${'a'.repeat(990)}` }),
      );
      const began = processorMilliseconds();
      expect(decide(seen({ commandLine: 'a'.repeat(32_700) }), aRulebook({ rules })).held).toBe('effort_exceeded');
      expect(processorMilliseconds() - began).toBeLessThan(1500);
    });

    it('that many rules and policies stay well below', () => {
      const rules = Array.from({ length: 5000 }, (_, n) => aRule({ id: String(n), matchCommandLine: `--option-${n}` }));
      const policies = Array.from({ length: 500 }, (_, n) => ({
        id: `p${n}`,
        name: 'p',
        mode: 'allowlist' as const,
        target,
        rules: globs(20, (line) => `C:/Users/*/AppData/Local/Vendor ${n}-${line}/**`),
      }));
      const observation = seen({
        path: `C:\\Users\\ann\\AppData\\Local\\Temp\\${'x'.repeat(200)}.exe`,
        commandLine: 'x'.repeat(1000),
      });
      expect(decide(observation, aRulebook({ rules, policies, defaultVerdict: 'auto_deny' }))).toMatchObject({
        outcome: 'denied',
        source: 'org_default',
      });
    });

    const target = { level: 'organization' as const, id: 'org' };
    const globs = (count: number, globOf: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => ({ name: 'x', pathGlob: globOf(n) }));
  });

  it('and of making a rulebook ready do not depend on how many rules name a large signer group', () => {
    const signerGroups = new Map([['vendors', Array.from({ length: 500 }, (_, n) => `Vendor ${n}`)]]);
    const millisecondsWith = (asks: Partial<Rule>): number => {
      const rules = Array.from({ length: 5000 }, (_, n) =>
        aRule({ id: String(n), verdict: 'auto_deny', matchUser: `CORP\\user-${n}`, ...asks }),
      );
      const began = processorMilliseconds();
      const rulebook = aRulebook({ rules, signerGroups });
      expect(decide(seen({ signer: 'VENDOR 7', username: 'CORP\\user-4999' }), rulebook).outcome).toBe('denied');
      return processorMilliseconds() - began;
    };
    const usual = millisecondsWith({});
    expect(millisecondsWith({ matchSignerGroupId: 'vendors' })).toBeLessThan(10 * Math.max(usual, 10));
  });

  it('does not depend on how many folders a path has', () => {
    const rulebook = aRulebook({ rules: [aRule({ matchPathGlob: 'C:/Program Files/**', verdict: 'auto_deny' })] });
    const millisecondsOf = (path: string): number =>
      Math.min(
        ...Array.from({ length: 4 }, () => {
          const began = processorMilliseconds();
          expect(decide(seen({ path }), rulebook).outcome).toBe('pending');
          return processorMilliseconds() - began;
        }),
      );
    const usual = (): number => millisecondsOf(`C:\\${'a'.repeat(32_000)}`);
    expect(millisecondsOf('/'.repeat(32_500))).toBeLessThan(50 * Math.max(usual(), 0.5));
  });
});

const RULES = 1000;
const DECISIONS = 2000;
const KINDS: readonly ((n: number) => Partial<Rule>)[] = [
  (n) => ({ matchHash: n.toString(16).padStart(64, '0') }),
  (n) => ({ matchSigner: `Vendor ${n}` }),
  (n) => ({ matchPathGlob: `C:/Program Files/Vendor ${n}/**` }),
  (n) => ({ matchPathGlob: `**/tool-${n}.exe` }),
  (n) => ({ matchUser: `CORP\\user-${n}` }),
];
