import { Module } from '@nestjs/common';
import { BootstrapModule } from './bootstrap/bootstrap.module.ts';
import { IntrospectionModule } from './introspection/introspection.module.ts';
import { MfaModule } from './mfa/mfa.module.ts';
import { PasswordLoginModule } from './password-login/password-login.module.ts';
import { SessionsModule } from './sessions/sessions.module.ts';
import { TenantRefsModule } from './tenant-refs/tenant-refs.module.ts';
import { TokensModule } from './tokens/tokens.module.ts';

@Module({
  imports: [
    TenantRefsModule,
    TokensModule, SessionsModule, IntrospectionModule,
    PasswordLoginModule, MfaModule,
    BootstrapModule,
  ],
})
export class AppModule {}
