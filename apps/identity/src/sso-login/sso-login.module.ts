import { Module } from '@nestjs/common';
import { InvitationsModule } from '../invitations/invitations.module.ts';
import { LinkIdentity } from './accounts/link-identity.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { SsoProvidersModule } from '../sso-providers/sso-providers.module.ts';
import { TokensModule } from '../tokens/tokens.module.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { AccountFactsRepository } from './accounts/account-facts.repository.ts';
import { ClaimAttempt } from './attempts/claim-attempt.ts';
import { CompleteSsoLogin } from './complete-sso-login.ts';
import { EnterThroughProvider } from './accounts/enter-through-provider.ts';
import { ExchangeCode } from './exchange-code.ts';
import { IdentityLinksRepository } from './accounts/identity-links.repository.ts';
import { LoginRefusedFilter } from './browser/login-refused.filter.ts';
import { LoginSessionsRepository } from './attempts/login-sessions.repository.ts';
import { OidcEngine } from './oidc/oidc-engine.ts';
import { CompleteOidcLogin } from './oidc/complete-oidc-login.ts';
import { RedeemCode } from './oidc/redeem-code.ts';
import { OpenIdGuard } from './oidc/openid.guard.ts';
import { OpenIdStrategy } from './oidc/openid.strategy.ts';
import { StartOidcLogin } from './oidc/start-oidc-login.ts';
import { DecideAccount } from './accounts/decide-account.ts';
import { LinkFactsRepository } from './accounts/link-facts.repository.ts';
import { NewcomersRepository } from './accounts/newcomers.repository.ts';
import { ExchangeCodesRepository } from './exchange-codes.repository.ts';
import { SsoExchangeController } from './sso-exchange.controller.ts';
import { ParkedLinksRepository } from './accounts/parked-links.repository.ts';
import { ProvisionUser } from './accounts/provision-user.ts';
import { ReturnToApp } from './browser/return-to-app.ts';
import { SsoLoginController } from './sso-login.controller.ts';
import { StartSsoLogin } from './attempts/start-sso-login.ts';
import { StateCookies } from './browser/state-cookies.ts';
import { SweepOneTimeValues } from './attempts/sweep-one-time-values.ts';

@Module({
  imports: [
    InvitationsModule,
    SessionCookieModule,
    SessionsModule,
    SignInModule,
    TokensModule,
    TechniciansModule,
    SsoProvidersModule,
  ],
  controllers: [SsoLoginController, SsoExchangeController],
  providers: [
    OidcEngine,
    StartOidcLogin,
    OpenIdStrategy,
    OpenIdGuard,
    RedeemCode,
    CompleteOidcLogin,
    StartSsoLogin,
    ClaimAttempt,
    CompleteSsoLogin,
    ExchangeCode,
    ProvisionUser,
    ParkedLinksRepository,
    LinkIdentity,
    DecideAccount,
    LinkFactsRepository,
    NewcomersRepository,
    ExchangeCodesRepository,
    EnterThroughProvider,
    LoginSessionsRepository,
    AccountFactsRepository,
    IdentityLinksRepository,
    StateCookies,
    ReturnToApp,
    LoginRefusedFilter,
    SweepOneTimeValues,
  ],
  exports: [
    StartSsoLogin,
    ClaimAttempt,
    CompleteSsoLogin,
    EnterThroughProvider,
    LoginSessionsRepository,
    IdentityLinksRepository,
    ParkedLinksRepository,
    StateCookies,
    ReturnToApp,
    LoginRefusedFilter,
    OidcEngine,
  ],
})
export class SsoLoginModule {}
