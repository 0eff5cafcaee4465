import type { ReasonMode, TicketMode } from '@gatehouse/contracts-pam';
import { foldCase, presentOrNull } from '@gatehouse/windows-paths';

/** What an organisation asks for as the justification of an elevation. */
export interface JustificationPolicy {
  readonly reason: { readonly mode: ReasonMode; readonly minLetters: number };
  readonly ticket: { readonly mode: TicketMode; readonly masks: readonly string[]; readonly hint: string | null };
  /** Whether prompts that are granted automatically need a justification. */
  readonly prompts: { readonly hold: boolean };
}

export const NO_JUSTIFICATION: JustificationPolicy = {
  reason: { mode: 'optional', minLetters: 0 },
  ticket: { mode: 'off', masks: [], hint: null },
  prompts: { hold: false },
};

/** What a request gives as its justification. */
export interface Justification {
  readonly reason?: string | null;
  readonly ticket?: string | null;
}

export type JustificationGap = 'justification_required' | 'ticket_required' | 'ticket_invalid';

const LETTER = /[\p{L}\p{N}]/u;
/** So often a character counts, so that “aaaaaaaa” is no reason. */
const MAX_OF_ONE = 3;

/** The letters and digits of a text; each character counts three times at most. */
export function lettersIn(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text.toLowerCase())
    if (LETTER.test(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((total, count) => total + Math.min(count, MAX_OF_ONE), 0);
}

const SIGNS: Readonly<Record<string, RegExp>> = { '#': /[0-9]/, '@': /[a-z]/, '*': /[a-z0-9-]/ };
const takes = (sign: string | undefined, character: string): boolean =>
  sign !== undefined && (SIGNS[sign]?.test(character) ?? sign === character);

/**
 * Whether a ticket has the form of a mask: `#` is a digit, `@` a letter, `*` one or more letters, digits and hyphens,
 * all else is literal. Every position of the mask that the text may have reached is kept, so the time is linear in the
 * text whatever the mask is.
 */
export function fitsMask(ticket: string, mask: string): boolean {
  const signs = [...foldCase(mask)];
  let reached = new Set([0]);
  for (const character of foldCase(ticket)) {
    const next = new Set<number>();
    for (const at of reached) {
      if (takes(signs[at], character)) next.add(at + 1);
      if (signs[at - 1] === '*' && takes('*', character)) next.add(at);
    }
    reached = next;
  }
  return reached.has(signs.length);
}

/** A ticket as it is compared and stored; null when it is blank. */
export const ticketOf = (ticket: string | null | undefined): string | null => presentOrNull(ticket)?.trim() ?? null;

const isTicket = ({ ticket: { masks } }: JustificationPolicy, ticket: string): boolean =>
  masks.length === 0 || masks.some((mask) => fitsMask(ticket, mask));

/** What is wrong with the ticket alone; null when the organisation takes it. */
export function ticketGap(policy: JustificationPolicy, given: Justification): JustificationGap | null {
  const ticket = ticketOf(given.ticket);
  if (ticket === null) return policy.ticket.mode === 'required' ? 'ticket_required' : null;
  return policy.ticket.mode === 'off' || isTicket(policy, ticket) ? null : 'ticket_invalid';
}

/** A reason that is asked for has at least one letter or digit. */
const hasReason = ({ reason: { minLetters } }: JustificationPolicy, { reason }: Justification): boolean =>
  lettersIn(reason ?? '') >= Math.max(minLetters, 1);

/** What is wrong with the justification of a request; null when it satisfies the organisation. */
export function justificationGap(policy: JustificationPolicy, given: Justification): JustificationGap | null {
  if (policy.reason.mode === 'required' && !hasReason(policy, given)) return 'justification_required';
  return ticketGap(policy, given);
}

/** Whether the request still lacks the ticket without which it is not approved. */
export const lacksTicket = (policy: JustificationPolicy, given: Justification): boolean =>
  policy.ticket.mode === 'required' && ticketGap(policy, given) !== null;

/** Whether a prompt is justified; where nothing is required in particular, any reason or ticket does. */
export function isJustified(policy: JustificationPolicy, given: Justification): boolean {
  if (justificationGap(policy, given) !== null) return false;
  return policy.reason.mode === 'required' || ticketOf(given.ticket) !== null || hasReason(policy, given);
}
