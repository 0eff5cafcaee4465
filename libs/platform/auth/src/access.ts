import type { AccessLevel, AuditAction, Permission } from '@gatehouse/contracts-core';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';

/** A route that does one thing or another, by a member of its body: `{ decision: { approve: …, deny: … } }`. */
type ActionByBody = Readonly<Record<string, Readonly<Record<string, AuditAction>>>>;

export interface RequiresOptions {
  /** A second factor within the last 12 h; API keys never satisfy it. */
  readonly mfa?: boolean;
  /** The scopes that may call; all by default. */
  readonly levels?: readonly AccessLevel[];
  /** Recorded with the result `denied` when the call is refused with 403. */
  readonly audit?: AuditAction | ActionByBody;
  /** Callers of a suspended, pending or churned partner may still call (sign-out, own profile). */
  readonly evenIfPartnerInactive?: boolean;
}

export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'agent' }
  | { readonly kind: 'internal' }
  | ({ readonly kind: 'user'; readonly permission: Permission | null } & RequiresOptions);

export const ACCESS = 'gatehouse:access';

const declare = (access: Access): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ACCESS, access), ApiExtension('x-access', access));

/** Anybody may call; the caller is anonymous. */
export const Public = (): MethodDecorator & ClassDecorator => declare({ kind: 'public' });

/** Device agents only, with their own bearer token. */
export const AgentRoute = (): MethodDecorator & ClassDecorator =>
  applyDecorators(declare({ kind: 'agent' }), ApiBearerAuth('agent'));

/** Other services only; the gateway routes nothing here. */
export const Internal = (): MethodDecorator & ClassDecorator => declare({ kind: 'internal' });

/**
 * A signed-in person or API key.
 * @param permission null when being signed in is enough
 */
export const Requires = (
  permission: Permission | null,
  options: RequiresOptions = {},
): MethodDecorator & ClassDecorator =>
  applyDecorators(declare({ kind: 'user', permission, ...options }), ApiBearerAuth('user'));

/** What a refused call is recorded as. A body that says neither of a route's things counts as the first of them. */
export function auditedAction(declared: AuditAction | ActionByBody, body: unknown): AuditAction {
  if (typeof declared === 'string') return declared;
  const [[member, actions] = ['', {}]] = Object.entries(declared);
  const said = (body as Readonly<Record<string, unknown>> | null | undefined)?.[member];
  const [first] = Object.values(actions);
  const named = Object.entries(actions).find(([value]) => value === said)?.[1] ?? first;
  if (!named) throw new Error(`no action is declared for ${member}`);
  return named;
}
