import { Module } from '@nestjs/common';
import { CreateSite } from './create-site.ts';
import { DeleteSite } from './delete-site.ts';
import { ExplainSiteAccess } from './explain-site-access.ts';
import { GetSite } from './get-site.ts';
import { ListSites } from './list-sites.ts';
import { SitesController } from './sites.controller.ts';
import { SitesRepository } from './sites.repository.ts';
import { UpdateSite } from './update-site.ts';

@Module({
  controllers: [SitesController],
  providers: [ListSites, GetSite, CreateSite, UpdateSite, DeleteSite, ExplainSiteAccess, SitesRepository],
})
export class SitesModule {}
