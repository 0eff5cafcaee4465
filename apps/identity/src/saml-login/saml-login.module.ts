import { Module } from '@nestjs/common';
import { SsoLoginModule } from '../sso-login/sso-login.module.ts';
import { CompleteSamlLogin } from './complete-saml-login.ts';
import { ReceiveSamlResponse } from './receive-saml-response.ts';
import { StartSamlLogin } from './start-saml-login.ts';
import { LinkedSubjectsRepository } from './linked-subjects.repository.ts';
import { SamlChecks } from './saml-checks.ts';
import { SamlEngine } from './saml-engine.ts';
import { SamlReturnController, SamlStartController } from './saml-login.controller.ts';
import { SamlResultsRepository } from './saml-results.repository.ts';
import { SamlSubjects } from './saml-subjects.ts';

@Module({
  imports: [SsoLoginModule],
  controllers: [SamlStartController, SamlReturnController],
  providers: [
    SamlEngine,
    SamlChecks,
    SamlSubjects,
    LinkedSubjectsRepository,
    SamlResultsRepository,
    StartSamlLogin,
    ReceiveSamlResponse,
    CompleteSamlLogin,
  ],
  exports: [SamlEngine],
})
export class SamlLoginModule {}
