import { Module } from '@nestjs/common';
import { ContactsController } from './contacts.controller.ts';
import { ContactsRepository } from './contacts.repository.ts';
import { CreateContact } from './create-contact.ts';
import { DeleteContact } from './delete-contact.ts';
import { ContactImportController } from './import/contact-import.controller.ts';
import { ContactImportRepository } from './import/contact-import.repository.ts';
import { ImportContacts } from './import/import-contacts.ts';
import { PreviewContactImport } from './import/preview-contact-import.ts';
import { ListContacts } from './list-contacts.ts';
import { UpdateContact } from './update-contact.ts';

@Module({
  controllers: [ContactsController, ContactImportController],
  providers: [
    ListContacts,
    CreateContact,
    UpdateContact,
    DeleteContact,
    PreviewContactImport,
    ImportContacts,
    ContactsRepository,
    ContactImportRepository,
  ],
})
export class ContactsModule {}
