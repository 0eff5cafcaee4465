import { Module } from '@nestjs/common';
import { OffersModule } from '../offers/offers.module.ts';
import { LinkIdentity } from '../linking/link-identity.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SsoProvidersModule } from '../sso-providers/sso-providers.module.ts';
import { TokensModule } from '../tokens/tokens.module.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { AccountFactsRepository } from './account-facts.repository.ts';
import { ClaimAttempt } from './claim-attempt.ts';
import { CompletedSignIns, CompleteSsoLogin, FirstSignIns } from './complete-sso-login.ts';
import { ExchangeCode } from './exchange-code.ts';
import { IdentityLinksRepository } from './identity-links.repository.ts';
import { LoginRefusedFilter } from './login-refused.filter.ts';
import { LoginSessionsRepository } from './login-sessions.repository.ts';
import { OidcEngine } from './oidc-engine.ts';
import { OidcCallbackGuard, OidcStartGuard } from './oidc.guards.ts';
import { OidcStrategy } from './oidc.strategy.ts';
import { ParkedLinks } from './parked-links.ts';
import { ProvisionUser } from './provision-user.ts';
import { RecordSsoSignIn } from './record-sso-sign-in.ts';
import { ReturnToApp } from './return-to-app.ts';
import { SsoExchangeController, SsoLoginController } from './sso-login.controller.ts';
import { StartSsoLogin } from './start-sso-login.ts';
import { StateCookies } from './state-cookies.ts';
import { SweepOneTimeValues } from './sweep-one-time-values.ts';

@Module({
  imports: [OffersModule, SessionsModule, TokensModule, TechniciansModule, SsoProvidersModule],
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
    CompletedSignIns,
    RecordSsoSignIn,
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
    CompletedSignIns,
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
