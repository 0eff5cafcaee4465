import { Module } from '@nestjs/common';
import { TechnicianFeed } from './technician-feed.ts';

@Module({ providers: [TechnicianFeed], exports: [TechnicianFeed] })
export class TechniciansModule {}
