import { Module } from '@nestjs/common';
import { InvitationsModule } from '../invitations/invitations.module.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { OffersModule } from '../offers/offers.module.ts';
import { OwnFactorsModule } from '../own-factors/own-factors.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { ChangeAccount } from './change-account.ts';
import { ChangeMembership } from './change-membership.ts';
import { DeleteUser } from './delete-user.ts';
import { FinishUserUpdate } from './finish-user-update.ts';
import { GetUser } from './get-user.ts';
import { InviteUser } from './invite-user.ts';
import { ListUsers } from './list-users.ts';
import { RemoveUser } from './remove-user.ts';
import { UpdateUser } from './update-user.ts';
import { UsersController } from './users.controller.ts';

@Module({
  imports: [
    InvitationsModule,
    MembershipsModule,
    OffersModule,
    OwnFactorsModule,
    PeopleModule,
    SessionsModule,
    TechniciansModule,
  ],
  controllers: [UsersController],
  providers: [
    ListUsers,
    GetUser,
    InviteUser,
    UpdateUser,
    ChangeAccount,
    ChangeMembership,
    FinishUserUpdate,
    DeleteUser,
    RemoveUser,
  ],
})
export class UsersModule {}
