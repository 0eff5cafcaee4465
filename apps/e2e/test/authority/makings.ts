import { stopwatch } from '@gatehouse/testing';
import { type Ground, idOf } from './arena.ts';
import { ATTEMPTS } from './attempts.ts';
import type { Held } from './coalition.ts';
import type { Json, Request } from './request.ts';

/** Something that a session of an identity provider, or its API key, made. */
export interface Making {
  readonly name: string;
  readonly by: Held;
  /** It never works again once its provider was switched off. */
  readonly endsAtOnce: boolean;
  readonly works: () => Promise<boolean>;
}

const LIVING = ['pending', 'approved', 'auto_approved', 'actuating'];
/** What the sessions of a provider attempt before it ends, and still while it ends. */
export const LAST_ATTEMPTS = ATTEMPTS.filter(({ route }) =>
  /^POST \/(api-keys|push-subscriptions|sso\/setup-links|users|pam\/(tool-actions|elevation-requests(\/{id}\/respond)?))$/.test(
    route,
  ),
);
const TIMEOUT_MS = 8_000;

/** What the sessions of identity providers made in one sequence. */
export class Makings {
  private readonly all: Making[] = [];

  constructor(private readonly ground: Ground) {}

  /** @returns whether it is something whose end can be checked */
  note(by: Held, { attempt: { route }, params }: Request, body: Json): boolean {
    const { operator, anonymous, isPushed } = this.ground;
    const data = (body['data'] ?? {}) as Json;
    const id = idOf(body) ?? params['id'] ?? '';
    const request = async (): Promise<{ status?: string; votes?: { name: string }[] }> =>
      (await operator.call('GET', `/pam/elevation-requests/${id}`)).body['request'] ?? {};
    const lives = async () => LIVING.includes((await request()).status ?? '');
    const votes = async () => {
      const { status, votes: given = [] } = await request();
      return status === 'pending' && given.some(({ name }) => name === by.authority.user.name);
    };
    const token = String(data['url']).split('#')[1];
    const opens = async () => (await anonymous.call('POST', '/sso/setup/visits', { token })).status === 200;
    const isOpen = async () => (await operator.call('GET', `/users/${id}/invitation`)).status === 200;
    const works: Record<string, () => Promise<boolean>> = {
      'POST /pam/elevation-requests': lives,
      'POST /pam/tool-actions': lives,
      'POST /sso/setup-links': opens,
      'POST /push-subscriptions': () => isPushed(id),
      ...(data['status'] === 'invited' && { 'POST /users': isOpen }),
      ...(body['status'] === 'pending' && { 'POST /pam/elevation-requests/{id}/respond': votes }),
    };
    const found = works[route];
    if (found) this.all.push({ name: `${route} ${id}`, by, endsAtOnce: route.includes('/pam/'), works: found });
    return found !== undefined;
  }

  /** What still works some seconds later, though nothing of it may. */
  async survivors(sessions: readonly Held[], isOver: (making: Making) => boolean): Promise<string[]> {
    const { anonymous } = this.ground;
    const credentials = sessions.map((by, at): Making => ({
      name: `session ${at}`,
      by,
      endsAtOnce: by.api.refreshToken !== null,
      works: async () =>
        (await by.api.call('GET', '/auth/me')).status === 200 ||
        (await anonymous.call('POST', '/auth/refresh', { refreshToken: by.api.refreshToken ?? 'x'.repeat(43) }))
          .status === 200,
    }));
    let left = [...credentials, ...this.all].filter(isOver);
    for (const spent = stopwatch(); left.length > 0 && spent() < TIMEOUT_MS;) {
      const alive = await Promise.all(left.map(({ works }) => works()));
      left = left.filter((_, at) => alive[at]);
    }
    return left.map(({ name, by }) => `${name} of ${by.authority.user.name} still works`);
  }
}
