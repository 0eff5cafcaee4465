import { StackError } from '../stack-error.ts';
import type { RunningPart } from './running-part.ts';

/** A server that the environment names: we use it and leave its life alone. */
export class ExternalPart implements RunningPart {
  readonly pid = undefined;

  constructor(
    readonly url: string,
    private readonly setting: string,
  ) {}

  async start(): Promise<void> {
    // Whoever runs it has started it.
  }

  async stop(): Promise<void> {
    // Whoever runs it stops it.
  }

  async kill(): Promise<void> {
    throw new StackError(`the server of ${this.setting} is not ours to end`);
  }
}
