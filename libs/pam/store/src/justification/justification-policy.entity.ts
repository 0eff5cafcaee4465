import type { ReasonMode, TicketMode } from '@gatehouse/contracts-pam';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an organisation asks for as the justification of an elevation; absent means nothing. */
@Entity('pam_justification_policies')
export class JustificationPolicyEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text') reasonMode!: ReasonMode;
  @Column('smallint') minLetters!: number;
  @Column('text') ticketMode!: TicketMode;
  @Column('text', { array: true }) ticketMasks!: string[];
  @Column('text', { nullable: true }) ticketHint!: string | null;
  /** Whether prompts without a justification wait for a person. */
  @Column('boolean') holdPrompts!: boolean;
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
