import { Module } from '@nestjs/common';
import { CredentialsRepository } from './credentials.repository.ts';
import { Passwords } from './passwords.ts';
import { ResetLinksRepository } from './reset-links.repository.ts';

@Module({
  providers: [Passwords, CredentialsRepository, ResetLinksRepository],
  exports: [Passwords, CredentialsRepository, ResetLinksRepository],
})
export class PasswordsModule {}
