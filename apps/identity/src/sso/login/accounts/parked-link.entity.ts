import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An identity that waits for its user to prove the account. */
@Entity('sso_parked_links')
export class ParkedLinkEntity {
  @PrimaryColumn('char') tokenHash!: string;
  @Column('uuid') providerId!: string;
  /** The provider's configuration generation when the link was parked. */
  @Column('integer') configVersion!: number;
  @Column('uuid') userId!: string;
  /** The provider's verified answer, bound to the token. */
  @Column('text') identitySealed!: string;
  @Column('timestamptz', { default: () => "(now() + '00:10:00'::interval)" }) expiresAt!: Date;
}
