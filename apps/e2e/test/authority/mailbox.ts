import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../world.ts';

const ADDRESS = /^To: .*?([^\s<>]+@[^\s<>]+?)>?\r?$/im;
const INVITATION = /accept-invite\?token=([\w-]+)/;

/** The mailed tokens: reads each file once and returns each token once. */
export class Mailbox {
  private readonly read = new Set<string>();
  private readonly invitations = new Map<string, string[]>();

  constructor(private readonly directory: string) {}

  /** Takes the newest invitation of an address that was not taken yet, or null. */
  private newest(email: string): string | null {
    for (const name of readdirSync(this.directory).filter((each) => each.endsWith('.eml') && !this.read.has(each)))
      this.take(name);
    const tokens = this.invitations.get(email.toLowerCase());
    this.invitations.delete(email.toLowerCase());
    return tokens?.at(-1) ?? null;
  }

  /** Waits for an invitation newer than the one that this method last returned for the address. */
  invitation(email: string): Promise<string> {
    return until(async () => this.newest(email), 30);
  }

  private take(name: string): void {
    const text = readFileSync(join(this.directory, name), 'utf8');
    this.read.add(name);
    const [email, token] = [ADDRESS.exec(text)?.[1]?.toLowerCase(), INVITATION.exec(text)?.[1]];
    if (email && token) this.invitations.set(email, [...(this.invitations.get(email) ?? []), token]);
  }
}
