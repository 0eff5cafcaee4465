import { Module } from '@nestjs/common';
import { AnnounceEverything } from './announce-everything.ts';
import { AnnouncementsController } from './announcements.controller.ts';

@Module({ controllers: [AnnouncementsController], providers: [AnnounceEverything] })
export class AnnouncementsModule {}
