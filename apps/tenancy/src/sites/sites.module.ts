import { Module } from '@nestjs/common';
import { CreateSite } from './create-site.ts';
import { DeleteSite } from './delete-site.ts';
import { GetSite, SiteAccess } from './get-site.ts';
import { ListSites } from './list-sites.ts';
import { SitesController } from './sites.controller.ts';
import { UpdateSite } from './update-site.ts';

@Module({
  controllers: [SitesController],
  providers: [ListSites, GetSite, CreateSite, UpdateSite, DeleteSite, SiteAccess],
})
export class SitesModule {}
