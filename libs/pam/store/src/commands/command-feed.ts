import type { RequestConnections } from '@gatehouse/database';
import type pg from 'pg';
import { COMMAND_CHANNEL } from './device-command.ts';

const RETRY_MS = 1_000;

/**
 * Listens for new commands on its own database connection and reconnects when that breaks. It only reduces latency:
 * waiting agents are served by polling anyway.
 */
export class CommandFeed {
  private client: pg.PoolClient | null = null;
  private closed = false;

  constructor(
    private readonly connections: RequestConnections,
    private readonly onCommand: (deviceId: string) => void,
  ) {}

  async start(): Promise<void> {
    if (this.closed) return;
    try {
      const client = await this.connections.connect();
      this.client = client;
      client.on('notification', ({ payload }) => payload && this.onCommand(payload));
      client.on('error', () => this.lose(client));
      await client.query(`LISTEN ${COMMAND_CHANNEL}`);
    } catch {
      this.lose(this.client);
    }
  }

  stop(): void {
    this.closed = true;
    this.lose(this.client);
  }

  private lose(client: pg.PoolClient | null): void {
    if (client !== this.client) return;
    this.client = null;
    client?.release(true);
    if (!this.closed) setTimeout(() => void this.start(), RETRY_MS).unref();
  }
}
