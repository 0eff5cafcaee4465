import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.ts';

const never = new Promise<never>(() => undefined);

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
  }, 10_000);

  it('are one and the same under one name', () => {
    const metrics = new Metrics('test');
    expect(metrics.counter('gatehouse_things_total', 'Things')).toBe(
      metrics.counter('gatehouse_things_total', 'Things'),
    );
  });
});
