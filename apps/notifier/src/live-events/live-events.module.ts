import { Module } from '@nestjs/common';
import { LiveEventsController } from './live-events.controller.ts';
import { LiveFeed } from './live-feed.ts';

@Module({ controllers: [LiveEventsController], providers: [LiveFeed] })
export class LiveEventsModule {}
