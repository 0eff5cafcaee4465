import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The content of a verified SAML response, until the browser returns to our site and sends its cookie. */
@Entity('sso_saml_results')
export class SamlResultEntity {
  @PrimaryColumn('char') handleHash!: string;
  @Column('char') stateHash!: string;
  @Column('uuid') providerId!: string;
  /** The provider's configuration generation when the attempt began. */
  @Column('integer') configVersion!: number;
  @Column('varchar') redirectPath!: string;
  @Column('uuid', { nullable: true }) linkingUserId!: string | null;
  /** What the response says about the user, bound to its handle. */
  @Column('text') identitySealed!: string;
  @Column('timestamptz', { default: () => "(now() + '00:02:00'::interval)" }) expiresAt!: Date;
}
