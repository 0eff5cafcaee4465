import { describe, expect, it } from '@jest/globals';
import { Lines, readable } from './log-view.ts';

describe('the readable log', () => {
  it('shows time, service, level, message and the other fields of a JSON line', () => {
    const line = JSON.stringify({
      level: 'warn',
      time: 'x',
      service: 'pam',
      requestId: 'r1',
      req: { method: 'GET' },
      message: 'slow',
    });
    expect(readable('pam', line, at)).toBe('08:09:10.123 pam         WARN  slow requestId=r1 req.method=GET');
  });

  it('shows the message of an error and leaves its stack to the file', () => {
    const line = JSON.stringify({ level: 'error', message: 'failed', err: { message: 'boom', stack: 'at x' } });
    expect(readable('pam', line, at)).toBe('08:09:10.123 pam         ERROR failed err.message=boom');
  });

  it('shows a line that is not JSON as it is', () => {
    expect(readable('audit', '{ not json', at)).toBe('08:09:10.123 audit       { not json');
  });

  it('puts lines together that arrive in pieces', () => {
    const seen: string[] = [];
    const lines = new Lines((line) => seen.push(line));
    for (const chunk of ['on', 'e\ntw', 'o\n\nthree']) lines.push(chunk);
    expect(seen).toEqual(['one', 'two']);
  });
});

const at = new Date('2026-11-20T08:09:10.123Z');
