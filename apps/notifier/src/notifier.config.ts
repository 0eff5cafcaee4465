import { ServiceConfig } from '@gatehouse/service';
import { IsOptional, IsString } from 'class-validator';

export class NotifierConfig extends ServiceConfig {
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlNotifier!: string;

  /** DNS servers for the endpoints of subscriptions, `address:port` parted by commas; default the system's. */
  @IsOptional()
  @IsString()
  dnsServers?: string;
}
