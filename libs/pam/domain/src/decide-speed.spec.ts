import { describe, expect, it } from '@jest/globals';
import { aRule, aRulebook, seen } from './builders-spec.ts';
import { decide, type Rule } from './index.ts';

const RULES = 1000;
const DECISIONS = 2000;
const KINDS: readonly ((n: number) => Partial<Rule>)[] = [
  (n) => ({ matchHash: n.toString(16).padStart(64, '0') }),
  (n) => ({ matchSigner: `Vendor ${n}` }),
  (n) => ({ matchPathGlob: `C:/Program Files/Vendor ${n}/**` }),
  (n) => ({ matchPathGlob: `**/tool-${n}.exe` }),
  (n) => ({ matchUser: `CORP\\user-${n}` }),
];

describe('the speed of deciding', () => {
  it('is a million rules a second and more on one core, with a thousand rules', () => {
    const rulebook = aRulebook({ rules: Array.from({ length: RULES }, (_, n) => aRule({ id: String(n), name: `rule ${n}`, ...KINDS[n % KINDS.length]?.(n) })) });
    const observation = seen({ path: 'C:\\Program Files\\Other Vendor\\setup.exe', signer: 'Other Vendor', hash: 'f'.repeat(64), username: 'CORP\\ann', commandLine: 'setup.exe /S' });
    const started = process.hrtime.bigint();
    for (let n = 0; n < DECISIONS; n++) expect(decide(observation, rulebook).outcome === 'pending').toBe(true);
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    expect((RULES * DECISIONS) / seconds).toBeGreaterThan(1_000_000);
  });

  it('does not depend on how many folders a path has', () => {
    const rulebook = aRulebook({ rules: [aRule({ matchPathGlob: 'C:/Program Files/**', verdict: 'auto_deny' })] });
    const millisecondsOf = (path: string): number => {
      const began = performance.now();
      expect(decide(seen({ path }), rulebook).outcome).toBe('pending');
      return performance.now() - began;
    };
    const usual = (): number => millisecondsOf(`C:\\${'a'.repeat(32_000)}`);
    usual();
    expect(millisecondsOf('/'.repeat(32_500))).toBeLessThan(50 * Math.max(usual(), 0.5));
  });
});
