import { Module } from '@nestjs/common';
import { OffersModule } from '../offers/offers.module.ts';
import { RolesModule } from '../roles/roles.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { AdministratorsController } from './administrators.controller.ts';
import { InviteAdministrator } from './invite-administrator.ts';
import { ChangeInvitation } from './change-invitation.ts';
import { DeleteUser } from './delete-user.ts';
import { ExistingPlaces, InviteUser } from './invite-user.ts';
import { ListUsers } from './list-users.ts';
import { MembershipGrants } from '../memberships/membership-grants.ts';
import { ResetSecondFactor } from './reset-second-factor.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { UpdateUser } from './update-user.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { UsersController } from './users.controller.ts';

@Module({
  imports: [MembershipsModule, RolesModule, OffersModule, SessionsModule, TechniciansModule],
  controllers: [UsersController, AdministratorsController],
  providers: [
    ListUsers,
    InviteUser,
    ExistingPlaces,
    ChangeInvitation,
    UpdateUser,
    DeleteUser,
    ResetSecondFactor,
    MembershipGrants,
    InviteAdministrator,
  ],
})
export class UsersModule {}
