import type { UserCaller } from '@gatehouse/contracts-core';
import type { InviteUserInput, UserAnswer, UserRecord } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Invitations } from '../invitations/invitations.ts';
import { foldEmail } from '../people/email.ts';
import { requireBreakGlassRoom } from './break-glass.ts';
import { JoinTenant } from './join-tenant.ts';
import { Memberships } from './memberships.ts';
import type { Placement } from './placement.ts';
import { UsersRepository } from './users.repository.ts';

type Admitted = Placement & { readonly roleId: string };

/**
 * POST /users. Somebody new gets an account that waits for them. Somebody within the caller's reach gets one more
 * membership. Somebody of another tenant is asked first: until they accept, the caller learns and changes nothing of theirs.
 */
@Injectable()
export class InviteUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersRepository,
    private readonly memberships: Memberships,
    private readonly invitations: Invitations,
    private readonly joining: JoinTenant,
  ) {}

  execute(caller: UserCaller, input: InviteUserInput): Promise<UserAnswer> {
    const person = { email: foldEmail(input.email), name: input.name };
    return this.work.run(caller, async (tx) => {
      const admitted = await this.memberships.admit(tx, caller, input.membership);
      const data = await this.place(tx, caller, person, admitted);
      tx.audit({
        action: 'user.create',
        resource: { type: 'user', id: data.id, name: data.email },
        partnerId: admitted.partnerId,
        orgId: admitted.orgId,
        details: { scope: admitted.level, roleId: admitted.roleId, invited: data.status === 'invited' },
      });
      return { data };
    });
  }

  private async place(tx: Tx, caller: UserCaller, person: { email: string; name: string }, admitted: Admitted): Promise<UserRecord> {
    const knownId = await this.users.idOfEmail(tx, person.email);
    if (knownId === null) return this.create(tx, caller, person, admitted);
    const known = await this.users.find(tx, caller.scope, knownId);
    return known ? this.extend(tx, caller, known, admitted) : this.ask(tx, caller, { ...person, id: knownId }, admitted);
  }

  private async create(tx: Tx, caller: UserCaller, person: { email: string; name: string }, admitted: Admitted): Promise<UserRecord> {
    const id = newId();
    await this.users.insert(tx, { id, ...person });
    await this.invitations.send(tx, { userId: id, email: person.email, inviter: caller.name, membership: null });
    return this.join(tx, caller, id, admitted);
  }

  private async extend(tx: Tx, caller: UserCaller, { id, email, status }: UserRecord, admitted: Admitted): Promise<UserRecord> {
    if (status === 'invited') await this.invitations.send(tx, { userId: id, email, inviter: caller.name, membership: null });
    return this.join(tx, caller, id, admitted);
  }

  private async join(tx: Tx, caller: UserCaller, userId: string, admitted: Admitted): Promise<UserRecord> {
    await this.joining.execute(tx, userId, { id: newId(), ...admitted });
    const user = await this.users.find(tx, caller.scope, userId);
    if (!user) throw new Error('a person who was just added is out of reach');
    if (user.breakGlass) await requireBreakGlassRoom(tx, userId, [admitted]);
    const { version: _, ...record } = user;
    return record;
  }

  private async ask(tx: Tx, caller: UserCaller, { id, email, name }: { id: string; email: string; name: string }, admitted: Admitted): Promise<UserRecord> {
    const { roleId, level, ...place } = admitted;
    const membershipId = newId();
    await this.invitations.send(tx, { userId: id, email, inviter: caller.name, membership: { id: membershipId, ...admitted } });
    const now = new Date().toISOString();
    const membership = { id: membershipId, scope: level, roleId, roleName: '', ...place, orgIds: [...place.orgIds], siteIds: [...place.siteIds] };
    return { id, email, name, status: 'invited', breakGlass: false, mfaEnrolled: false, lastLoginAt: null, createdAt: now, updatedAt: now, memberships: [membership] };
  }
}
