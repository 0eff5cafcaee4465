import { StackError } from '../stack-error.ts';

/** A backing server: ours, or one that the environment names. */
export interface RunningPart {
  /** Address with credentials, ready for a client. */
  readonly url: string;
  /** Undefined while it is down, and for a server that is not ours. */
  readonly pid: number | undefined;
  /** Starts it again on the same port with the same data; resolves when it answers. */
  start(): Promise<void>;
  /** Ends it cleanly. */
  stop(): Promise<void>;
  /** Sends a signal; for one that ends it, resolves when it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

export type Part = 'postgres' | 'nats' | 'redis';

/** The servers that `startBacking` returns; a part that was not requested is absent. */
export interface Backing {
  readonly postgres: RunningPart;
  readonly nats: RunningPart;
  readonly redis: RunningPart;
  stop(): Promise<void>;
}

/** The certificate that our servers present, in PEM: for tests. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface PartSettings {
  /** Holds data, configuration and logs of the parts. */
  readonly directory: string;
  /** Data need not survive a crash of the machine: faster, for tests. */
  readonly ephemeral: boolean;
  /** Present: the servers speak TLS; Redis speaks nothing else. */
  readonly tls?: ServerCertificate;
  log(line: string): void;
}

/** A server that the environment names: we use it, but do not start or stop it. */
export class ExternalPart implements RunningPart {
  readonly pid = undefined;

  constructor(
    readonly url: string,
    private readonly setting: string,
  ) {}

  async start(): Promise<void> {
    // It is already running.
  }

  async stop(): Promise<void> {
    // It keeps running.
  }

  async kill(): Promise<void> {
    throw new StackError(`the server of ${this.setting} is not ours to end`);
  }
}
