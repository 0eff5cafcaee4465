import type { DeviceStatus } from '@gatehouse/contracts-tenancy';
import { FoldedColumn } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

const SEARCH_TEXT =
  "lower((((((hostname)::text || '\n'::text) || (COALESCE(display_name, ''::character varying))::text) || '\n'::text) || (COALESCE(serial_number, ''::character varying))::text))";
const FOLDED_SEARCH =
  "((((folded_name((hostname)::text) || '\n'::text) || COALESCE(folded_name((display_name)::text), ''::text)) || '\n'::text) || COALESCE(folded_name((serial_number)::text), ''::text))";

/** A machine with an agent. */
@Entity('devices')
export class DeviceEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') siteId!: string;
  @Column('varchar') hostname!: string;
  @Column('varchar', { nullable: true }) displayName!: string | null;
  @Column('varchar') osType!: string;
  @Column('varchar', { nullable: true }) osVersion!: string | null;
  @Column('varchar', { nullable: true }) agentVersion!: string | null;
  @Column('varchar', { nullable: true }) serialNumber!: string | null;
  @Column('text', { default: () => "'online'::text" }) status!: DeviceStatus;
  /** SHA-256 of the agent's token, in hexadecimal. */
  @Column('char', { nullable: true }) agentTokenHash!: string | null;
  /** The token that the agent has replaced; works until `previousTokenUntil`. */
  @Column('char', { nullable: true }) previousTokenHash!: string | null;
  @Column('timestamptz', { nullable: true }) previousTokenUntil!: Date | null;
  /** The device that the machine is, if an administrator confirms it (TEN-101). */
  @Column('uuid', { nullable: true }) returnsAs!: string | null;
  /** The version of the agent protocol that the agent states. */
  @Column('integer', { default: () => '1' }) agentProtocol!: number;
  /** When the administrators were last told that the machine enrolled again. */
  @Column('timestamptz', { nullable: true }) reenrolmentToldAt!: Date | null;
  /** The time of enrolment; `device_presence` records when the agent was seen since. */
  @Column('timestamptz', { nullable: true }) lastSeenAt!: Date | null;
  @Column('timestamptz', { nullable: true }) decommissionedAt!: Date | null;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** Searched by the release before this one. */
  @Column({ type: 'text', generatedType: 'STORED', asExpression: SEARCH_TEXT }) searchText!: string;
  /** Hostname and serial number in the form in which names are compared (TEN-100). */
  @FoldedColumn('hostname') foldedHostname?: string;
  @FoldedColumn('serial_number') foldedSerial?: string | null;
  /** Hostname, display name and serial number in that form, for searching. */
  @Column({
    type: 'text',
    nullable: true,
    generatedType: 'STORED',
    asExpression: FOLDED_SEARCH,
    insert: false,
    update: false,
  })
  foldedSearch?: string;
}
