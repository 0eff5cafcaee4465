import type { OwnConnection, RequestConnections } from '@gatehouse/database';
import { COMMAND_CHANNEL } from './device-command.ts';

const RETRY_MS = 1_000;

/**
 * Listens for new commands on its own database connection and reconnects when that breaks. It only reduces latency:
 * waiting agents are served by polling anyway, and only so behind a pooler that no direct address leads past.
 */
export class CommandFeed {
  private connection: OwnConnection | null = null;
  private closed = false;

  constructor(
    private readonly connections: RequestConnections,
    private readonly onCommand: (deviceId: string) => void,
  ) {}

  async start(): Promise<void> {
    if (this.closed) return;
    try {
      const connection = await this.connections.connectDirectly();
      if (connection === null) return;
      this.connection = connection;
      const { client } = connection;
      client.on('notification', ({ payload }) => payload && this.onCommand(payload));
      for (const event of ['error', 'end'] as const) client.on(event, () => this.lose(connection));
      await client.query(`LISTEN ${COMMAND_CHANNEL}`);
    } catch {
      this.lose(this.connection);
    }
  }

  stop(): void {
    this.closed = true;
    this.lose(this.connection);
  }

  private lose(connection: OwnConnection | null): void {
    if (connection !== this.connection) return;
    this.connection = null;
    connection?.end();
    if (!this.closed) setTimeout(() => void this.start(), RETRY_MS).unref();
  }
}
