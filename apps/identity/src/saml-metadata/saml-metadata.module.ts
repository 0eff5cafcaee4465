import { Module } from '@nestjs/common';
import { SsoProvidersModule } from '../sso-providers/sso-providers.module.ts';
import { ReadSamlMetadata } from './read-saml-metadata.ts';
import { SamlMetadataController } from './saml-metadata.controller.ts';

@Module({
  imports: [SsoProvidersModule],
  controllers: [SamlMetadataController],
  providers: [ReadSamlMetadata],
})
export class SamlMetadataModule {}
