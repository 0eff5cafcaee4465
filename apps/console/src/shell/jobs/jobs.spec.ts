import { describe, expect, it } from '@jest/globals';
import { currentJobs, dismissJob, runJob } from './jobs.ts';

describe('long work', () => {
  it('is shown with its progress and its result until it is dismissed', async () => {
    let finish = (_result: string): void => undefined;
    const work = (report: (progress: number) => void) => {
      report(0.5);
      return new Promise<string>((resolve) => (finish = resolve));
    };
    const running = runJob({ id: 'a', label: 'Verify', work, explain });
    expect(currentJobs()).toMatchObject([{ id: 'a', label: 'Verify', state: 'running', progress: 0.5 }]);
    dismissJob('a');
    expect(currentJobs()).toHaveLength(1);
    finish('valid');
    await running;
    expect(currentJobs()).toMatchObject([{ state: 'done', result: 'valid' }]);
    dismissJob('a');
    expect(currentJobs()).toEqual([]);
  });

  it('says why it failed', async () => {
    await runJob({ id: 'b', label: 'Verify', work: () => Promise.reject(new Error('refused')), explain });
    expect(currentJobs()).toMatchObject([{ state: 'failed', result: 'Error: refused' }]);
  });
});

const explain = (error: unknown) => String(error);
