import { Module } from '@nestjs/common';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { BootstrapAdmin } from './bootstrap-admin.ts';

@Module({ imports: [PasswordsModule, TechniciansModule], providers: [BootstrapAdmin] })
export class BootstrapModule {}
