import { Module } from '@nestjs/common';
import { InvitationsModule } from '../invitations/invitations.module.ts';
import { RolesModule } from '../roles/roles.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { AdministratorsController } from './administrators.controller.ts';
import { AdmitAdministrator } from './admit-administrator.ts';
import { DeleteUser } from './delete-user.ts';
import { InviteUser } from './invite-user.ts';
import { ListUsers } from './list-users.ts';
import { Memberships } from './memberships.ts';
import { ResetSecondFactor } from './reset-second-factor.ts';
import { TechniciansModule } from './technicians.module.ts';
import { UpdateUser } from './update-user.ts';
import { UserStoreModule } from './user-store.module.ts';
import { UsersController } from './users.controller.ts';

@Module({
  imports: [UserStoreModule, RolesModule, InvitationsModule, SessionsModule, TechniciansModule],
  controllers: [UsersController, AdministratorsController],
  providers: [ListUsers, InviteUser, UpdateUser, DeleteUser, ResetSecondFactor, Memberships, AdmitAdministrator],
})
export class UsersModule {}
