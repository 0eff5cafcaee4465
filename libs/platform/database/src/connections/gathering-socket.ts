import { Socket } from 'node:net';

type Written = (error?: Error | null) => void;

/**
 * Combines all writes of one turn of the event loop into one system call. `pg` sends each query of a pipeline
 * separately, and for short statements sending costs more than everything else.
 */
export class GatheringSocket extends Socket {
  private gathering = false;

  constructor() {
    super();
    // On connect, node sets its own `write` on the object, which hides this one.
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
