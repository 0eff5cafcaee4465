import { areNameServers } from '@gatehouse/egress';
import { ServiceConfig } from '@gatehouse/service';
import { IsOptional, IsString, ValidateBy } from 'class-validator';

export class NotifierConfig extends ServiceConfig {
  /** PostgreSQL, as the role that serves. */
  @IsString({ message: 'must be a postgres:// address' })
  databaseUrlNotifier!: string;

  /**
   * DNS servers that resolve the endpoints of subscriptions, `address:port` separated by commas; the system's by
   * default.
   */
  @IsOptional()
  @ValidateBy(
    { name: 'nameServers', validator: { validate: areNameServers } },
    { message: 'must list addresses of name servers, such as 10.0.0.10:53' },
  )
  dnsServers?: string;
}
