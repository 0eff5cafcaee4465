import { DnsServers } from '@gatehouse/egress';
import { ServiceConfig } from '@gatehouse/service';
import { IsOptional, IsString } from 'class-validator';

export class NotifierConfig extends ServiceConfig {
  /** PostgreSQL, as the role that serves. */
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlNotifier!: string;

  /**
   * DNS servers that resolve the endpoints of subscriptions, `address:port` separated by commas; the system's by
   * default.
   */
  @IsOptional()
  @DnsServers()
  dnsServers?: string;
}
