import { describe, expect, it } from '@jest/globals';
import { brokerAddress } from './provision-broker.ts';

describe('the address of the broker', () => {
  it('is handed over without its credentials, also when the password begins with digits', () => {
    expect(brokerAddress('nats://gatehouse:3x-L%40@127.0.0.1:21317')).toEqual({
      servers: ['127.0.0.1:21317'],
      user: 'gatehouse',
      pass: '3x-L@',
    });
  });

  it('may be one of several, which share their credentials', () => {
    expect(brokerAddress('nats://u:p@a:4222, nats://u:p@b:4223')).toEqual({
      servers: ['a:4222', 'b:4223'],
      user: 'u',
      pass: 'p',
    });
  });

  it('may carry a token, or nothing', () => {
    expect(brokerAddress('nats://secret@broker:4222')).toEqual({ servers: ['broker:4222'], token: 'secret' });
    expect(brokerAddress('nats://[::1]:4222')).toEqual({ servers: ['[::1]:4222'] });
  });
});
