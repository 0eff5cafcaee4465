import { Module } from '@nestjs/common';
import { SessionsModule } from './sessions/sessions.module.ts';
import { TenantRefsModule } from './tenant-refs/tenant-refs.module.ts';
import { TokensModule } from './tokens/tokens.module.ts';

@Module({
  imports: [TenantRefsModule, TokensModule, SessionsModule],
})
export class AppModule {}
