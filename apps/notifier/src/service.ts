import type { ServiceDefinition } from '@gatehouse/service';
import { AppModule } from './app.module.ts';
import { notifierDatabase } from './database.ts';
import { NotifierConfig } from './notifier.config.ts';
import { keysContext } from './push-subscriptions/push-subscriptions.repository.ts';
import { vapidContext } from './vapid/vapid-keys.ts';

export const notifierService: ServiceDefinition<NotifierConfig> = {
  name: 'notifier',
  config: NotifierConfig,
  module: AppModule,
  database: { definition: notifierDatabase, url: ({ databaseUrlNotifier }) => databaseUrlNotifier },
  sealed: [
    { table: 'push_subscriptions', column: 'sealed_keys', boundTo: ['id'], context: keysContext },
    { table: 'vapid_keys', column: 'sealed_private_key', boundTo: [], context: vapidContext },
  ],
};
