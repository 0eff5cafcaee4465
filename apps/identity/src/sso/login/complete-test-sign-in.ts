import { asService, type Caller } from '@gatehouse/contracts-core';
import type { Verdict } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { type Ending, type Evidence, type Identity, WOULD } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { ProviderTrustRepository } from '../../providers/configuration/store/provider-trust.repository.ts';
import { AttemptsService } from '../../providers/attempt-log/attempts.service.ts';
import { SsoLoginAccountsService } from './accounts/sso-login-accounts.service.ts';
import { LoginRefused } from './attempts/login-refused.ts';
import { type ClaimedAttempt, LoginSessionsRepository } from './attempts/login-sessions.repository.ts';
import { refusedAt } from './attempts/sso-login-attempts.service.ts';

type TestEnding = Pick<Ending, 'code' | 'cause' | 'evidence'> & {
  readonly id: string;
  readonly verdict: Verdict;
  readonly userId: string | null;
};

/** The verdicts that prove the configuration (SSO-96). */
const PROVING: readonly Verdict[] = ['would_sign_in', 'would_link', 'would_provision'];
const RESULTS: Partial<Record<Verdict, 'parked' | 'refused'>> = {
  would_ask_for_proof: 'parked',
  would_refuse: 'refused',
};

/** Ends a transaction that must leave nothing. */
class RolledBack extends Error {}

/** Ends test sign-ins (SSO-94 to SSO-99): with a record of what would have become of the person, and nothing else. */
@Injectable()
export class CompleteTestSignIn {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoLoginAccounts: SsoLoginAccountsService,
    private readonly providerTrustRepository: ProviderTrustRepository,
    private readonly loginSessionsRepository: LoginSessionsRepository,
    private readonly attempts: AttemptsService,
  ) {}

  /** Decides about a verified answer as a sign-in would, and records what would have become of the person. */
  async conclude(
    caller: Caller,
    { attempt, identity, evidence }: { attempt: ClaimedAttempt; identity: Identity; evidence: Evidence },
  ): Promise<void> {
    const service = asService('identity', caller.origin);
    let userId: string | null = null;
    const tried = this.work.run(service, async (tx) => {
      const found = await this.ssoLoginAccounts.tryOut(tx, attempt, identity);
      if (!found) throw new LoginRefused('provider_changed', refusedAt(attempt));
      userId = found.person?.userId ?? null;
      Object.assign(evidence, { facts: found.facts, decision: found.decision, role: found.role });
      throw new RolledBack();
    });
    await tried.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    const { decision } = evidence;
    if (decision?.kind === 'refuse') throw new LoginRefused(decision.code, refusedAt(attempt));
    const verdict = decision ? WOULD[decision.kind] : 'not_told';
    const code = verdict === 'would_ask_for_proof' ? 'link_required' : null;
    const ending = { id: attempt.attemptId ?? newId(), verdict, code, userId, evidence } as const;
    await this.work.run(service, (tx) => this.record(tx, attempt, ending));
  }

  /** Writes how a test ended, once. */
  async record(tx: Tx, attempt: ClaimedAttempt, ending: TestEnding): Promise<void> {
    const { id: attemptId, verdict, code } = ending;
    const { id, name, partnerId, orgId, startedBy, setupLinkId } = attempt;
    const result = RESULTS[verdict] ?? 'success';
    await this.attempts.record(tx, tx.caller, {
      ...ending,
      provider: attempt,
      kind: 'test',
      protocol: attempt.type,
      result,
      setupLinkId,
    });
    if (PROVING.includes(verdict)) await this.providerTrustRepository.markTested(tx, attempt);
    tx.audit({
      action: 'sso.provider.test',
      resource: { type: 'sso_provider', id, name },
      actor: {
        type: setupLinkId ? 'setup_link' : 'user',
        id: setupLinkId ?? startedBy,
        name: await this.loginSessionsRepository.nameOfStarter(tx, attempt),
      },
      partnerId,
      orgId,
      result: result === 'refused' ? 'failure' : 'success',
      details: { kind: 'sign_in', attemptId, verdict, code, ...(setupLinkId && { setupLinkId, visitId: startedBy }) },
    });
  }
}

/** The page on which a test ends. */
export const testPage = ({ attemptId, setupLinkId }: ClaimedAttempt): string =>
  `${setupLinkId ? '/sso-setup' : '/sso-test'}?attempt=${attemptId ?? ''}`;
