import { describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { GatheringSocket } from './gathering-socket.ts';

describe('a gathering socket', () => {
  it('sends what is written in one turn of the event loop in one piece, in its order', async () => {
    const server = createServer((peer) => peer.pipe(peer)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = new GatheringSocket();
    const pieces = [jest.spyOn(socket, '_write'), jest.spyOn(socket, '_writev' as '_write')];
    socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    for (const text of ['one ', 'two ']) socket.write(text);
    await Promise.resolve();
    socket.write('three');
    const [echo] = (await once(socket, 'data')) as [Buffer];
    expect(echo.toString()).toBe('one two three');
    expect(pieces.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
    socket.destroy();
    server.close();
  });
});
