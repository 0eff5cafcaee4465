import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../world.ts';

const ADDRESS = /^To: .*?([^\s<>]+@[^\s<>]+?)>?\r?$/im;
const INVITATION = /accept-invite\?token=([\w-]+)/;

/** The tokens that were mailed, each file read once. */
export class Mailbox {
  private readonly read = new Set<string>();
  private readonly invitations = new Map<string, string[]>();

  constructor(private readonly directory: string) {}

  /** The newest invitation of an address, or null. */
  newest(email: string): string | null {
    for (const name of readdirSync(this.directory).filter((each) => each.endsWith('.eml') && !this.read.has(each)))
      this.take(name);
    return this.invitations.get(email.toLowerCase())?.at(-1) ?? null;
  }

  invitation(email: string): Promise<string> {
    return until(async () => this.newest(email), 30);
  }

  private take(name: string): void {
    const text = readFileSync(join(this.directory, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    this.read.add(name);
    const [email, token] = [ADDRESS.exec(text)?.[1]?.toLowerCase(), INVITATION.exec(text)?.[1]];
    if (email && token) this.invitations.set(email, [...(this.invitations.get(email) ?? []), token]);
  }
}
