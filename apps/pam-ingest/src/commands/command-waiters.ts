/** Long polls of agents that wait for a command. Each device has at most one; a new poll replaces the one before. */
export class CommandWaiters {
  private readonly waiting = new Map<string, (reason: WakeReason) => void>();

  /**
   * Resolves when a command arrives for the device, when a newer poll replaces this one, or after `ms` milliseconds.
   */
  wait(deviceId: string, ms: number): Promise<WakeReason> {
    this.waiting.get(deviceId)?.('superseded');
    return new Promise((resolve) => {
      const wake = (reason: WakeReason): void => {
        clearTimeout(timer);
        if (this.waiting.get(deviceId) === wake) this.waiting.delete(deviceId);
        resolve(reason);
      };
      const timer = setTimeout(() => wake('time'), ms);
      this.waiting.set(deviceId, wake);
    });
  }

  wake(deviceId: string): void {
    this.waiting.get(deviceId)?.('command');
  }

  /** Ends all waits, so that a stopping service keeps no request open. */
  release(): void {
    for (const wake of [...this.waiting.values()]) wake('superseded');
  }
}

export type WakeReason = 'command' | 'time' | 'superseded';
