import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { notifierDatabase } from './database.ts';
import { NotifierConfig } from './notifier.config.ts';

export const notifierService: ServiceDefinition<NotifierConfig> = {
  name: 'notifier',
  config: NotifierConfig,
  module: AppModule,
  database: { definition: notifierDatabase, url: ({ databaseUrlNotifier }) => databaseUrlNotifier },
};
