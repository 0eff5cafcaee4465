import { sortOf } from './model.ts';

describe('the order of the history of requests', () => {
  it.each([
    [{ status: ['pending'], sort: 'deviceHostname' }, 'deviceHostname'],
    [{ status: ['approved', 'actuating'], sort: '-expiresAt' }, '-expiresAt'],
    [{ sort: 'requestedAt' }, 'requestedAt'],
    [{ status: ['denied'], sort: '-requestedAt' }, '-requestedAt'],
  ] as const)('%j is asked for', (filter, expected) => {
    expect(sortOf(filter)).toBe(expected);
  });

  it.each([
    { sort: 'deviceHostname' },
    { status: ['denied'], sort: 'deviceHostname' },
    { status: ['pending', 'expired'], sort: '-subjectUsername' },
    { status: ['denied'] },
  ] as const)('%j stays by time: the server sorts by other fields where all requests are open', (filter) => {
    expect(sortOf(filter)).toBeUndefined();
  });
});
