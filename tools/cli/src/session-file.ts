import type { Tokens, TokenStore } from '@gatehouse/client';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const ONLY_OWNER = 0o600;
const ONLY_OWNER_ENTERS = 0o700;

interface Kept {
  readonly url: string;
  readonly tokens: Tokens;
}

/** The session of the last `gatehouse login`, in a file that only its owner may read. */
export class SessionFile {
  readonly path: string;

  /** @param env names the file: GATEHOUSE_SESSION, else below XDG_CONFIG_HOME or `~/.config` */
  constructor(env: Environment) {
    const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
    this.path = env['GATEHOUSE_SESSION'] || join(config, 'gatehouse', 'session.json');
  }

  /** The session, or null when there is none. */
  read(): Kept | null {
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as Kept;
    } catch {
      return null;
    }
  }

  write(kept: Kept | null): void {
    if (kept === null) return rmSync(this.path, { force: true });
    mkdirSync(dirname(this.path), { recursive: true, mode: ONLY_OWNER_ENTERS });
    // Made exclusively, under a name that cannot be foreseen: in a folder of others, a link there would be followed.
    const next = `${this.path}.${randomUUID()}`;
    writeFileSync(next, JSON.stringify(kept), { mode: ONLY_OWNER, flag: 'wx' });
    renameSync(next, this.path);
  }

  /** The tokens for one product. They are read anew each time, because another command may have renewed them. */
  tokensFor(url: string): TokenStore {
    return {
      read: () => {
        const kept = this.read();
        return kept?.url === url ? kept.tokens : null;
      },
      write: (tokens) => this.write(tokens && { url, tokens }),
    };
  }
}
