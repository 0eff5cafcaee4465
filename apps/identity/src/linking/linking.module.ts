import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { PasswordLoginModule } from '../password-login/password-login.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SamlLoginModule } from '../saml-login/saml-login.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SsoLoginModule } from '../sso-login/sso-login.module.ts';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.ts';
import { AccountProof } from './account-proof.ts';
import { ConfirmParkedLink } from './confirm-parked-link.ts';
import { LinkingController } from './linking.controller.ts';
import { DeleteOwnLink } from './delete-own-link.ts';
import { ListLinkOptions } from './list-link-options.ts';
import { OwnLinksRepository } from './own-links.repository.ts';
import { StartLinking } from './start-linking.ts';

@Module({
  imports: [
    SsoLoginModule,
    SamlLoginModule,
    PeopleModule,
    PasswordLoginModule,
    PasswordsModule,
    FactorsModule,
    SessionCookieModule,
    SessionsModule,
  ],
  controllers: [LinkingController],
  providers: [
    ApiKeysRepository,
    OwnLinksRepository,
    ListLinkOptions,
    StartLinking,
    ConfirmParkedLink,
    DeleteOwnLink,
    AccountProof,
  ],
})
export class LinkingModule {}
