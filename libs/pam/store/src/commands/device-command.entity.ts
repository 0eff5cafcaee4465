import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CommandStatus, CommandType } from './device-command.ts';

/** An instruction to a device, delivered until its agent reports a result. */
@Entity('device_commands')
export class DeviceCommandEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') deviceId!: string;
  @Column('uuid', { nullable: true }) elevationRequestId!: string | null;
  @Column('text') type!: CommandType;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) payload!: Readonly<Record<string, unknown>>;
  @Column('text', { default: () => "'queued'::text" }) status!: CommandStatus;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) claimedAt!: Date | null;
  /** After this time the command is not delivered; null for commands that never expire. */
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @Column('text', { nullable: true }) resultDetail!: string | null;
}
