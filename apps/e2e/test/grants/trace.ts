import type { ApiAnswer } from '@gatehouse/stack';
import type { Json, Lane } from './field.ts';

type Actor = keyof Lane['people'];
type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What was done in a scenario, and what should not have been possible. */
export class Trace {
  readonly lines: string[] = [];
  readonly faults: string[] = [];

  constructor(
    private readonly people: Lane['people'],
    /** How often each act ended how, in all scenarios. */
    private readonly worked: Map<string, number>,
  ) {}

  note(line: string): void {
    this.lines.push(line);
  }

  fault(what: string): void {
    this.faults.push(`${what}: ${this.lines.at(-1) ?? ''}`);
  }

  count(act: string): void {
    this.worked.set(act, (this.worked.get(act) ?? 0) + 1);
  }

  async tried(who: Actor, method: Method, path: string, body?: Json): Promise<ApiAnswer> {
    const answer = await this.people[who].patiently(method, path, body);
    const outcome = answer.status < 300 ? 'success' : String(answer.body['code']);
    this.note(`${who} ${method} ${path} ${JSON.stringify(body ?? null)} → ${answer.status} ${outcome}`);
    if (answer.status >= 500) throw new Error(this.lines.at(-1));
    this.count(`${who} ${method} ${path.split('?')[0]?.replaceAll(/[0-9a-f-]{36}/g, ':id')} ${outcome}`);
    return answer;
  }

  /** @returns whether it succeeded */
  async done(...act: Parameters<Trace['tried']>): Promise<boolean> {
    return (await this.tried(...act)).status < 300;
  }
}
