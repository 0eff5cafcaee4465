type Payload = Record<string, unknown>;
interface Entry {
  readonly payload: Payload;
  readonly expiresAt: number;
}

/**
 * More entries than any test uses at once. The oldest are removed first, so that a long load test does not use ever
 * more memory.
 */
const MOST_ENTRIES = 20_000;

/** Storage in memory, one per provider, in the form that `oidc-provider` asks for (a class, built once per model). */
export function memoryAdapter(): new (model: string) => object {
  const entries = new Map<string, Entry>();

  const live = (key: string): Payload | undefined => {
    const entry = entries.get(key);
    if (entry && entry.expiresAt > Date.now()) return entry.payload;
    entries.delete(key);
    return undefined;
  };

  return class MemoryAdapter {
    constructor(private readonly model: string) {}

    async upsert(id: string, payload: Payload, expiresInSeconds = 3600): Promise<void> {
      entries.set(`${this.model}:${id}`, { payload, expiresAt: Date.now() + expiresInSeconds * 1000 });
      const [oldest] = entries.keys();
      if (entries.size > MOST_ENTRIES && oldest) entries.delete(oldest);
    }

    async find(id: string): Promise<Payload | undefined> {
      return live(`${this.model}:${id}`);
    }

    async findByUid(uid: string): Promise<Payload | undefined> {
      for (const [key, { payload }] of entries) {
        if (key.startsWith(`${this.model}:`) && payload['uid'] === uid) return live(key);
      }
      return undefined;
    }

    async consume(id: string): Promise<void> {
      const payload = live(`${this.model}:${id}`);
      if (payload) payload['consumed'] = Math.floor(Date.now() / 1000);
    }

    async destroy(id: string): Promise<void> {
      entries.delete(`${this.model}:${id}`);
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, { payload }] of entries) {
        if (payload['grantId'] === grantId) entries.delete(key);
      }
    }
  };
}
