import { StackError } from '../stack-error.ts';
import type { RunningPart } from './running-part.ts';

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
