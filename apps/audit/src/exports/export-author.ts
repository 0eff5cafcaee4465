import { type Caller, callerOf, covers, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { PRESENT_PRINCIPAL, type PresentPrincipal, type PrincipalQuestion } from '@gatehouse/contracts-identity';
import { EventBus } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import type { ExportLink } from './export-links.repository.ts';

const REPLY_WITHIN_MS = 5_000;

/** Asks identity who the author of an export is at present: their session may have ended, and their rights changed. */
@Injectable()
export class ExportAuthor {
  constructor(private readonly bus: EventBus) {}

  /**
   * @returns null when the author's session or key is no longer valid, or may no longer export
   * @throws ProblemError unavailable when identity does not reply
   */
  async find({ origin }: Caller, { sessionId, apiKeyId }: ExportLink): Promise<UserCaller | null> {
    const principal = await this.principalOf(sessionId ? { sessionId } : { apiKeyId: apiKeyId ?? '' });
    if (!principal?.partnerActive) return null;
    const author = callerOf(principal, origin);
    return covers(author.permissions, 'audit:export') ? author : null;
  }

  private async principalOf(question: PrincipalQuestion): Promise<PresentPrincipal['principal']> {
    try {
      const reply = await this.bus.request<PresentPrincipal>(PRESENT_PRINCIPAL, question, {
        timeoutMs: REPLY_WITHIN_MS,
      });
      return reply.principal;
    } catch {
      throw new ProblemError('unavailable', 'The author’s permission to export could not be checked.', {
        retryAfterSeconds: 5,
      });
    }
  }
}
