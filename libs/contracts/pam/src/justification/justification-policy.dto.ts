import { Choice, Flag, Nested, Text, TextList, Unread, Uuid, Whole } from '@gatehouse/contracts-core';
import { REASON_MODES, type ReasonMode, TICKET_MODES, type TicketMode } from '../vocabulary.ts';

const MODE_OF_REASON = { description: 'Whether a request needs a reason.' };
const MIN_LETTERS = {
  min: 0,
  max: 200,
  description: 'The minimum number of letters and digits in a reason; repeats of a character count up to three times.',
};
const MODE_OF_TICKET = { description: 'Whether a request can have a ticket, or must have one before it is approved.' };
const MASKS = {
  min: 1,
  max: 60,
  maxItems: 10,
  description:
    'What tickets look like, in any letter case: `#` is a digit, `@` a letter, `*` one or more letters, digits and ' +
    'hyphens; all else is literal. Without a mask any text is a ticket.',
};
const HINT = { max: 200, nullable: true, description: 'The hint shown with the ticket field.' };
const HOLD = { description: 'Whether prompts without a justification require approval instead of being granted.' };

export class ReasonTermsDto {
  @Choice(REASON_MODES, { ...MODE_OF_REASON, optional: true }) mode?: ReasonMode;
  @Whole({ ...MIN_LETTERS, optional: true }) minLetters?: number;
}

export class TicketTermsDto {
  @Choice(TICKET_MODES, { ...MODE_OF_TICKET, optional: true }) mode?: TicketMode;
  @TextList({ ...MASKS, optional: true }) masks?: string[];
  @Text({ ...HINT, optional: true }) hint?: string | null;
}

export class PromptTermsDto {
  @Flag({ ...HOLD, optional: true }) hold?: boolean;
}

/** Replaces the whole policy: a member that is absent gets its default. */
export class UpdateJustificationPolicyDto {
  @Nested(() => ReasonTermsDto, { optional: true }) reason?: ReasonTermsDto;
  @Nested(() => TicketTermsDto, { optional: true, description: 'Requirements for tickets.' }) ticket?: TicketTermsDto;
  @Nested(() => PromptTermsDto, { optional: true, description: 'Requirements for prompts on devices.' })
  prompts?: PromptTermsDto;
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @Unread('the record may be sent back whole') version?: unknown;
}

export class ReasonTermsRecord {
  @Choice(REASON_MODES, MODE_OF_REASON) mode!: ReasonMode;
  @Whole(MIN_LETTERS) minLetters!: number;
}

export class TicketTermsRecord {
  @Choice(TICKET_MODES, MODE_OF_TICKET) mode!: TicketMode;
  @TextList(MASKS) masks!: string[];
  @Text(HINT) hint!: string | null;
}

export class PromptTermsRecord {
  @Flag(HOLD) hold!: boolean;
}

/** PAM-210. */
export class JustificationPolicyRecord {
  @Uuid() orgId!: string;
  @Nested(() => ReasonTermsRecord, { description: 'Requirements for reasons.' }) reason!: ReasonTermsRecord;
  @Nested(() => TicketTermsRecord, { description: 'Requirements for tickets.' }) ticket!: TicketTermsRecord;
  @Nested(() => PromptTermsRecord, { description: 'Requirements for prompts on devices.' }) prompts!: PromptTermsRecord;
  @Whole({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Counts the changes; 0 before any.' })
  version!: number;
}

export class JustificationPolicyResponse {
  @Flag() success!: true;
  @Nested(() => JustificationPolicyRecord) justificationPolicy!: JustificationPolicyRecord;
}
