import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.ts';

describe('the numbers of a service', () => {
  it('are read at each scrape, and left out while their source fails', async () => {
    const metrics = new Metrics('test');
    const depth = metrics.gauge('gatehouse_depth', 'What waits');
    const letters = metrics.gauge('gatehouse_letters', 'By consumer', ['consumer']);
    let answer: () => Promise<{ depth: number; letters: number }> = async () => ({ depth: 0, letters: 2 });
    metrics.atScrape([depth, letters], async () => {
      const read = await answer();
      return [
        { of: depth, value: read.depth },
        { of: letters, value: read.letters, labels: { consumer: 'pam' } },
      ];
    });
    const first = await metrics.text();
    expect(first).toContain('gatehouse_depth{service="test"} 0\n');
    expect(first).toContain('gatehouse_letters{consumer="pam",service="test"} 2\n');

    answer = () => Promise.reject(new Error('the database is away'));
    expect(await metrics.text()).not.toMatch(/^gatehouse_(depth|letters)\{/m);
  });

  it('do not keep a scrape waiting for a server that is silent, nor ask it twice', async () => {
    const metrics = new Metrics('test');
    const gauge = metrics.gauge('gatehouse_silent', 'Never read');
    let asked = 0;
    metrics.atScrape([gauge], () => {
      asked++;
      return never;
    });
    await metrics.text();
    const text = await metrics.text();
    expect(asked).toBe(1);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toMatch(/^gatehouse_silent\{/m);
  });

  it('begin with every value of every label, so that the first event is an increase', async () => {
    const metrics = new Metrics('test');
    const signIns = metrics.counter('gatehouse_sign_ins_total', 'By method', { method: ['sso'], result: ['a', 'b'] });
    metrics.histogram('gatehouse_runs_seconds', 'Runs', { result: ['done'] }, [1]);
    signIns.inc({ method: 'sso', result: 'a' });
    const text = await metrics.text();
    expect(text).toContain('gatehouse_sign_ins_total{method="sso",result="a",service="test"} 1\n');
    expect(text).toContain('gatehouse_sign_ins_total{method="sso",result="b",service="test"} 0\n');
    expect(text).toContain('gatehouse_runs_seconds_count{service="test",result="done"} 0\n');
  });

  it('say 0 for a part that is silent, beside what another source says of its own part', async () => {
    const metrics = new Metrics('test');
    const up = metrics.gauge('gatehouse_up', 'Parts', ['part']);
    const of = (part: string, value: number) => [{ of: up, value, labels: { part } }];
    metrics.atScrape([up], () => never, of('database', 0));
    metrics.atScrape([up], async () => of('broker', 1), of('broker', 0));
    for (const text of await Promise.all([metrics.text(), metrics.text()])) {
      expect(text).toContain('gatehouse_up{part="database",service="test"} 0\n');
      expect(text).toContain('gatehouse_up{part="broker",service="test"} 1\n');
    }
  });

  it('are one and the same under one name', () => {
    const metrics = new Metrics('test');
    expect(metrics.counter('gatehouse_things_total', 'Things')).toBe(
      metrics.counter('gatehouse_things_total', 'Things'),
    );
  });
});

const never = new Promise<never>(() => undefined);
