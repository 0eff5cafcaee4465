import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A one-time code with which a browser collects its tokens after a callback. */
@Entity('sso_exchange_codes')
export class ExchangeCodeEntity {
  @PrimaryColumn('char') codeHash!: string;
  @Column('uuid') sessionId!: string;
  @Column('timestamptz', { default: () => "(now() + '00:02:00'::interval)" }) expiresAt!: Date;
  /** The hash of the only browser value that may exchange the code; null for codes of earlier releases. */
  @Column('char', { nullable: true }) browserHash!: string | null;
}
