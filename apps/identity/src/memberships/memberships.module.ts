import { Module } from '@nestjs/common';
import { PeopleModule } from '../people/people.module.ts';
import { RolesModule } from '../roles/roles.module.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { TenantRefsModule } from '../tenant-refs/tenant-refs.module.ts';
import { AddMembership } from './add-membership.ts';
import { BreakGlassRepository } from './break-glass.repository.ts';
import { FindChangeableUser } from './find-changeable-user.ts';
import { JoinTenant } from './join-tenant.ts';
import { MembershipGrants } from './membership-grants.ts';
import { MembershipsRepository } from './memberships.repository.ts';
import { RequireBreakGlassLimit } from './require-break-glass-limit.ts';

@Module({
  imports: [PeopleModule, RolesModule, TechniciansModule, TenantRefsModule],
  providers: [
    MembershipsRepository,
    BreakGlassRepository,
    JoinTenant,
    AddMembership,
    MembershipGrants,
    FindChangeableUser,
    RequireBreakGlassLimit,
  ],
  exports: [
    MembershipsRepository,
    AddMembership,
    JoinTenant,
    MembershipGrants,
    FindChangeableUser,
    RequireBreakGlassLimit,
  ],
})
export class MembershipsModule {}
