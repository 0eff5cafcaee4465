import type { OwnConnection, RequestConnections } from '@gatehouse/database';
import { setTimeout as pause } from 'node:timers/promises';
import { COMMAND_CHANNEL } from './device-commands.repository.ts';

/** To listen again changes nothing, so the same statement tries the connection. */
const LISTEN = `LISTEN ${COMMAND_CHANNEL}`;
const RETRY_MS = 1_000;
/** How often the connection is tried, and how long it may take to answer. */
const BEAT_MS = 2_000;

/**
 * Listens for new commands on its own database connection and reconnects when that breaks or no longer answers. Behind
 * a pooler that no direct address leads past, there is no such connection.
 */
export class CommandFeed {
  private connection: OwnConnection | null = null;
  private sessions = 0;
  private listens = false;
  private closed = false;

  constructor(
    private readonly connections: RequestConnections,
    private readonly onCommand: (deviceId: string) => void,
  ) {}

  /**
   * The number of the present session of LISTEN, null while there is none. Every command that was inserted while the
   * number stayed the same has been reported to `onCommand`.
   */
  get session(): number | null {
    return this.listens ? this.sessions : null;
  }

  async start(): Promise<void> {
    if (this.closed) return;
    try {
      const connection = await this.connections.connectDirectly();
      if (connection === null) return;
      // `stop` ran while this connected and saw no connection to end; the service's pool waits until each is ended.
      if (this.closed) return connection.end();
      this.connection = connection;
      const { client } = connection;
      client.on('notification', ({ payload }) => payload && this.onCommand(payload));
      for (const event of ['error', 'end'] as const) client.on(event, () => this.lose(connection));
      await client.query(LISTEN);
      this.sessions += 1;
      this.listens = true;
      void this.watch(connection);
    } catch {
      this.lose(this.connection);
    }
  }

  stop(): void {
    this.closed = true;
    this.lose(this.connection);
  }

  /** A connection whose other end is gone without a word would stay open and silent for minutes. */
  private async watch(connection: OwnConnection): Promise<void> {
    while (connection === this.connection) {
      const answered = connection.client.query(LISTEN).then(
        () => true,
        () => false,
      );
      const isAlive = await Promise.race([answered, pause(BEAT_MS, false, { ref: false })]);
      if (!isAlive) return this.lose(connection);
      await pause(BEAT_MS, undefined, { ref: false });
    }
  }

  private lose(connection: OwnConnection | null): void {
    if (connection !== this.connection) return;
    this.connection = null;
    this.listens = false;
    connection?.end();
    if (!this.closed) setTimeout(() => void this.start(), RETRY_MS).unref();
  }
}
