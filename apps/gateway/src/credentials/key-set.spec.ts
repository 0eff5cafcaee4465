import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { exportJWK, type FlattenedJWSInput, generateKeyPair, type JSONWebKeySet } from 'jose';
import { KeySet } from './key-set.ts';

describe('the key set', () => {
  let published: JSONWebKeySet;
  let answers: boolean;
  let asked: number;
  let mayStandIn: boolean;
  let keys: KeySet;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    await publish('a');
    [answers, asked] = [true, 0];
    mayStandIn = false;
    keys = new KeySet(
      async () => {
        asked++;
        if (!answers) throw new Error('no answer');
        return published;
      },
      () => mayStandIn,
    );
  });
  afterEach(() => void jest.useRealTimers());

  it('is asked for once by all who need it at once, and not again for a second', async () => {
    await Promise.all([keyOf('a'), keyOf('a'), keyOf('a')]);
    jest.advanceTimersByTime(900);
    await keyOf('a');
    expect(asked).toBe(1);
  });

  it('goes on verifying for another second when identity does not answer, and then says why it cannot', async () => {
    await keyOf('a');
    answers = false;
    jest.advanceTimersByTime(1_500);
    await keyOf('a');
    await settled();
    expect(asked).toBe(2);
    jest.advanceTimersByTime(600);
    await expect(keyOf('a')).rejects.toThrow('no answer');
    answers = true;
    await keyOf('a');
  });

  it('ATK-14a: goes on verifying for as long as old keys may stand in, waits once for identity, and takes new keys when it answers', async () => {
    await keyOf('a');
    [answers, mayStandIn] = [false, true];
    for (let second = 0; second < 10; second++) {
      jest.advanceTimersByTime(2_500);
      await keyOf('a');
      await settled();
    }
    expect(asked).toBe(11);
    mayStandIn = false;
    await expect(keyOf('a')).rejects.toThrow('no answer');
    answers = true;
    await publish('b');
    await expect(keyOf('a')).rejects.toThrow('no applicable key');
    await keyOf('b');
  });

  it('drops after two seconds what is not published any more', async () => {
    await keyOf('a');
    await publish('b');
    jest.advanceTimersByTime(2_000);
    await expect(keyOf('a')).rejects.toThrow('no applicable key');
    await keyOf('b');
  });

  it('asks at once for a key that it does not know, but for strangers’ only twice a second', async () => {
    await keyOf('a');
    await publish('a', 'b');
    await expect(keyOf('b')).rejects.toThrow('no applicable key');
    jest.advanceTimersByTime(500);
    await keyOf('b');
    for (const stranger of ['x', 'y', 'z']) await expect(keyOf(stranger)).rejects.toThrow('no applicable key');
    expect(asked).toBe(2);
  });

  const keyOf = (kid: string) => keys.keyOf({ alg: 'ES256', kid }, NO_TOKEN);
  const publish = async (...kids: string[]): Promise<void> => {
    const { publicKey } = await generateKeyPair('ES256');
    published = {
      keys: await Promise.all(kids.map(async (kid) => ({ ...(await exportJWK(publicKey)), kid, alg: 'ES256' }))),
    };
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
});

const NO_TOKEN: FlattenedJWSInput = { payload: '', signature: '' };
