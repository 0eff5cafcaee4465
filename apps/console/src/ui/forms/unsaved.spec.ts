import { describe, expect, it } from '@jest/globals';
import { answerLeave, askToLeave } from './unsaved.ts';

describe('leaving with unsaved input', () => {
  it('is as its user answers, and a second question answers the first with no', async () => {
    const first = askToLeave();
    const second = askToLeave();
    answerLeave(true);
    expect(await first).toBe(false);
    expect(await second).toBe(true);
  });
});
