import { EventEmitter } from 'node:events';

/** The time that an answer may take altogether. An emitter does for the client library what an AbortSignal would, at a fraction of the price. */
export class Deadline extends EventEmitter {
  passed = false;
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number) {
    super();
    this.timer = setTimeout(() => {
      this.passed = true;
      this.emit('abort');
    }, ms);
  }

  cancel(): void {
    clearTimeout(this.timer);
  }
}
