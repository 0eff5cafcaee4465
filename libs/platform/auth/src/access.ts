import type { AccessLevel, AuditAction, Permission } from '@gatehouse/contracts-core';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** A route whose audit action depends on a member of its body: `{ decision: { approve: …, deny: … } }`. */
type ActionByBody = Readonly<Record<string, Readonly<Record<string, AuditAction>>>>;

export interface RequiresOptions {
  /** Requires a second factor within the last 12 h; API keys never satisfy this. */
  readonly mfa?: boolean;
  /** The scopes that may call; default: all. */
  readonly levels?: readonly AccessLevel[];
  /** The action that is recorded with the result `denied` when the call is answered 403. */
  readonly audit?: AuditAction | ActionByBody;
  /** False for a POST or PATCH that has no use for an `Idempotency-Key`. */
  readonly idempotent?: false;
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

/** Every caller may use the route; the caller is anonymous. */
export const Public = (): MethodDecorator & ClassDecorator => declare({ kind: 'public' });

/** Only device agents may call, with their own bearer token. */
export const AgentRoute = (): MethodDecorator & ClassDecorator => declare({ kind: 'agent' });

/** Only other services may call; the gateway routes nothing here. */
export const Internal = (): MethodDecorator & ClassDecorator => declare({ kind: 'internal' });

/**
 * A signed-in user or an API key.
 * @param permission null when being signed in is enough
 */
export const Requires = (
  permission: Permission | null,
  options: RequiresOptions = {},
): MethodDecorator & ClassDecorator => declare({ kind: 'user', permission, ...options });

/** The audit action of a denied call. A body that matches none of the route's actions counts as the first one. */
export function auditedAction(declared: AuditAction | ActionByBody, body: unknown): AuditAction {
  if (typeof declared === 'string') return declared;
  const [[member, actions] = ['', {}]] = Object.entries(declared);
  const said = (body as Readonly<Record<string, unknown>> | null | undefined)?.[member];
  const [first] = Object.values(actions);
  const named = Object.entries(actions).find(([value]) => value === said)?.[1] ?? first;
  if (!named) throw new Error(`no action is declared for ${member}`);
  return named;
}
