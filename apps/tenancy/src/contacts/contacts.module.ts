import { Module } from '@nestjs/common';
import { ContactsController } from './contacts.controller.ts';
import { CreateContact } from './create-contact.ts';
import { ImportContacts } from './import/import-contacts.ts';
import { PreviewContactImport } from './import/preview-contact-import.ts';
import { ListContacts } from './list-contacts.ts';
import { UpdateContact } from './update-contact.ts';

@Module({
  controllers: [ContactsController],
  providers: [ListContacts, CreateContact, UpdateContact, PreviewContactImport, ImportContacts],
})
export class ContactsModule {}
