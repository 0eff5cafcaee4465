import { Module } from '@nestjs/common';
import { CheckOrgSso } from './check-org-sso.ts';
import { DiscoverSso } from './discover-sso.ts';
import { HomeRealmController } from './home-realm.controller.ts';
import { HomeRealmRepository } from './home-realm.repository.ts';
import { GetLoginContext } from './get-login-context.ts';

@Module({
  controllers: [HomeRealmController],
  providers: [CheckOrgSso, DiscoverSso, GetLoginContext, HomeRealmRepository],
})
export class HomeRealmModule {}
