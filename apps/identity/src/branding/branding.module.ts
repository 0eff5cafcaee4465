import { Module } from '@nestjs/common';
import { BrandingController } from './branding.controller.ts';
import { GetLoginBranding } from './get-login-branding.ts';
import { LoginBrandingRepository } from './login-branding.repository.ts';
import { ReplaceLoginBranding } from './replace-login-branding.ts';

@Module({
  controllers: [BrandingController],
  providers: [GetLoginBranding, ReplaceLoginBranding, LoginBrandingRepository],
})
export class BrandingModule {}
