import { Socket } from 'node:net';

type Written = (error?: Error | null) => void;

/**
 * Writes what it is given in one turn of the event loop with one system call. `pg` sends each query of a pipeline by
 * itself,
 * and for short statements the sending costs more than all the rest.
 */
export class GatheringSocket extends Socket {
  private gathering = false;

  constructor() {
    super();
    // Connecting puts node's own `write` on the object, in front of this one.
    this.once('connect', () => Reflect.deleteProperty(this, 'write'));
  }

  override write(chunk: Uint8Array | string, encodingOrWritten?: BufferEncoding | Written, written?: Written): boolean {
    if (!this.gathering) this.gather();
    return typeof encodingOrWritten === 'function'
      ? super.write(chunk, encodingOrWritten)
      : super.write(chunk, encodingOrWritten, written);
  }

  private gather(): void {
    this.gathering = true;
    this.cork();
    process.nextTick(() => {
      this.gathering = false;
      this.uncork();
    });
  }
}
