import { Module } from '@nestjs/common';
import { InvitationsModule } from '../invitations/invitations.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { AdministratorsController } from './administrators.controller.ts';
import { InviteAdministrator } from './invite-administrator.ts';

@Module({
  imports: [InvitationsModule, PeopleModule],
  controllers: [AdministratorsController],
  providers: [InviteAdministrator],
})
export class AdministratorsModule {}
