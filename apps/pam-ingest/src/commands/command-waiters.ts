/** Agents that wait for a command. One wait per device: an agent that asks again has given up the wait before. */
export class CommandWaiters {
  private readonly waiting = new Map<string, (reason: WakeReason) => void>();

  /** Resolves when the device is woken, when another wait of it begins, or after the time. */
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

  /** Lets everybody go, so that a service that stops keeps no request open. */
  release(): void {
    for (const wake of [...this.waiting.values()]) wake('superseded');
  }
}

export type WakeReason = 'command' | 'time' | 'superseded';
