import { Module } from '@nestjs/common';
import { OffersModule } from '../offers/offers.module.ts';
import { LinkIdentity } from './accounts/link-identity.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { SsoProvidersModule } from '../sso-providers/sso-providers.module.ts';
import { TokensModule } from '../tokens/tokens.module.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { AccountFactsRepository } from './accounts/account-facts.repository.ts';
import { ClaimAttempt } from './attempts/claim-attempt.ts';
import { CompleteSsoLogin, FirstSignIns } from './complete-sso-login.ts';
import { EnterThroughProvider } from './accounts/enter-through-provider.ts';
import { ExchangeCode } from './exchange-code.ts';
import { IdentityLinksRepository } from './accounts/identity-links.repository.ts';
import { LoginRefusedFilter } from './browser/login-refused.filter.ts';
import { LoginSessionsRepository } from './attempts/login-sessions.repository.ts';
import { OidcEngine } from './oidc/oidc-engine.ts';
import { OidcCallbackGuard, OidcStartGuard } from './oidc.guards.ts';
import { OidcStrategy } from './oidc.strategy.ts';
import { ParkedLinks } from './accounts/parked-links.ts';
import { ProvisionUser } from './accounts/provision-user.ts';
import { ReturnToApp } from './browser/return-to-app.ts';
import { SsoExchangeController, SsoLoginController } from './sso-login.controller.ts';
import { StartSsoLogin } from './attempts/start-sso-login.ts';
import { StateCookies } from './browser/state-cookies.ts';
import { SweepOneTimeValues } from './attempts/sweep-one-time-values.ts';

@Module({
  imports: [OffersModule, SessionsModule, SignInModule, TokensModule, TechniciansModule, SsoProvidersModule],
  controllers: [SsoLoginController, SsoExchangeController],
  providers: [
    OidcStrategy,
    OidcEngine,
    OidcStartGuard,
    OidcCallbackGuard,
    StartSsoLogin,
    ClaimAttempt,
    CompleteSsoLogin,
    ExchangeCode,
    ProvisionUser,
    ParkedLinks,
    LinkIdentity,
    FirstSignIns,
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
    ParkedLinks,
    StateCookies,
    ReturnToApp,
    LoginRefusedFilter,
    OidcEngine,
  ],
})
export class SsoLoginModule {}
