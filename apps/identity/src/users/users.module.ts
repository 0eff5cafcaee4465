import { Module } from '@nestjs/common';
import { OffersModule } from '../invitations/offers.module.ts';
import { RolesModule } from '../roles/roles.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { AdministratorsController } from './administrators.controller.ts';
import { InviteAdministrator } from './invite-administrator.ts';
import { ChangeInvitation } from './change-invitation.ts';
import { DeleteUser } from './delete-user.ts';
import { ExistingPlaces, InviteUser } from './invite-user.ts';
import { ListUsers } from './list-users.ts';
import { Memberships } from './memberships.ts';
import { ResetSecondFactor } from './reset-second-factor.ts';
import { TechniciansModule } from './technicians.module.ts';
import { UpdateUser } from './update-user.ts';
import { UserStoreModule } from './user-store.module.ts';
import { UsersController } from './users.controller.ts';

@Module({
  imports: [UserStoreModule, RolesModule, OffersModule, SessionsModule, TechniciansModule],
  controllers: [UsersController, AdministratorsController],
  providers: [
    ListUsers,
    InviteUser,
    ExistingPlaces,
    ChangeInvitation,
    UpdateUser,
    DeleteUser,
    ResetSecondFactor,
    Memberships,
    InviteAdministrator,
  ],
})
export class UsersModule {}
