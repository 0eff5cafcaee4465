import { Module } from '@nestjs/common';
import { BootstrapModule } from './bootstrap/bootstrap.module.ts';
import { IntrospectionModule } from './introspection/introspection.module.ts';
import { MfaModule } from './mfa/mfa.module.ts';
import { PasswordLoginModule } from './password-login/password-login.module.ts';
import { SessionsModule } from './sessions/sessions.module.ts';
import { SsoLoginModule } from './sso-login/sso-login.module.ts';
import { SsoProvidersModule } from './sso-providers/sso-providers.module.ts';
import { TenantRefsModule } from './tenant-refs/tenant-refs.module.ts';
import { TokensModule } from './tokens/tokens.module.ts';
import { InvitationsModule } from './invitations/invitations.module.ts';
import { RolesModule } from './roles/roles.module.ts';
import { UsersModule } from './users/users.module.ts';

@Module({
  imports: [
    TenantRefsModule,
    TokensModule, SessionsModule, IntrospectionModule,
    PasswordLoginModule, MfaModule, InvitationsModule,
    UsersModule, RolesModule,
    SsoProvidersModule, SsoLoginModule,
    BootstrapModule,
  ],
})
export class AppModule {}
