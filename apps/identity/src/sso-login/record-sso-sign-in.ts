import type { EventActor } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import type { SsoProvider } from '../sso-providers/sso-provider.entity.ts';

export interface SsoSignIn {
  readonly provider: Pick<SsoProvider, 'id' | 'name' | 'type' | 'partnerId' | 'orgId'>;
  readonly userId: string;
  /** The mail address as the provider sent it. */
  readonly email: string;
  readonly sessionId: string;
  readonly breakGlass: boolean;
  /** True when this sign-in linked the identity. */
  readonly linked: boolean;
}

/** Writes the audit entries of a completed sign-in, and raises an alert when a break-glass user signs in. */
@Injectable()
export class RecordSsoSignIn {
  constructor(@Inject(LOGGER) private readonly log: Logger) {}

  execute(tx: Tx, { provider, userId, email, sessionId, breakGlass, linked }: SsoSignIn): void {
    const { id: providerId, name, type, partnerId, orgId } = provider;
    const actor: EventActor = { type: 'user', id: userId, name: email };
    const person = { type: 'user', id: userId, name: email };
    const place = { actor, partnerId, orgId };
    if (linked) tx.audit({ ...place, action: 'sso.identity.link', resource: person, details: { providerId } });
    const resource = { type: 'sso_provider', id: providerId, name };
    tx.audit({ ...place, action: 'sso.login.success', resource, details: { protocol: type, email } });
    if (!breakGlass) return;
    this.log.warn({ userId, sessionId, providerId, alert: 'break_glass_sign_in' }, 'a break-glass account signed in');
    const details = { via: 'sso', sessionId, providerId };
    tx.audit({ ...place, action: 'user.break_glass.login', resource: person, details });
  }
}
