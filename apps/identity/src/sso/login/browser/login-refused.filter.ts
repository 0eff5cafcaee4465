import type { GuardedRequest } from '@gatehouse/auth';
import { API_PREFIX, asService, NOWHERE } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { BASE_URL, LOGGER, type Logger, requestIdsOf } from '@gatehouse/service';
import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LoginRefused } from '../attempts/login-refused.ts';
import { FOUND, SEE_OTHER, sendBrowser } from './send-browser.ts';
import { StateCookies } from './state-cookies.ts';

/** Redirects the browser to our login page after a failed round trip through a provider. */
@Catch(LoginRefused)
@Injectable()
export class LoginRefusedFilter implements ExceptionFilter<LoginRefused> {
  constructor(
    private readonly work: UnitOfWork,
    private readonly stateCookies: StateCookies,
    @Inject(BASE_URL) private readonly baseUrl: string,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async catch(refused: LoginRefused, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const reason = refused.cause instanceof Error ? { err: refused.cause } : {};
    this.log.warn(
      { code: refused.code, provider: refused.at?.providerId, ...requestIdsOf(request), ...reason },
      'a sign-in through a provider was refused',
    );
    await this.record(refused, request);
    const [path = API_PREFIX] = request.url.split('?');
    // Until an attempt is claimed, the cookie may belong to another attempt that is still in progress.
    const cookies = refused.at ? [this.stateCookies.clear(path)] : [];
    const status = request.method === 'POST' ? SEE_OTHER : FOUND;
    sendBrowser(http.getResponse<FastifyReply>(), this.addressFor(refused), cookies, status);
  }

  private addressFor({ code, at }: LoginRefused): string {
    return at?.linkingUserId
      ? `${this.baseUrl}/settings/profile?ssoLinkError=${code}`
      : `${this.baseUrl}/login?error=${code}`;
  }

  private async record({ code, at }: LoginRefused, request: GuardedRequest): Promise<void> {
    if (!at) return;
    const caller = asService('identity', request.caller?.origin ?? NOWHERE);
    const entry = {
      action: 'sso.login.rejected',
      resource: { type: 'sso_provider', id: at.providerId },
      partnerId: at.partnerId,
      orgId: at.orgId,
      result: 'failure',
      details: { code },
    } as const;
    await this.work
      .run(caller, async (tx) => tx.audit(entry))
      .catch((error: unknown) => this.log.error({ err: error }, 'a refused sign-in could not be recorded'));
  }
}
