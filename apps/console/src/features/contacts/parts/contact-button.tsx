import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import { later } from '../../../ui/later/later.ts';
import { nameOf } from '../model.ts';
import type { Contact } from '../queries.ts';

/** The form is loaded when it opens for the first time. */
const ContactForm = later(async () => ({ default: (await import('./contact-form.tsx')).ContactForm }));

interface ContactButtonProps {
  readonly orgId: string;
  /** The contact to change; a new one without it. */
  readonly contact?: Contact;
}

/** Opens the form of a contact. */
export function ContactButton({ orgId, contact }: ContactButtonProps) {
  const words = useTranslations('contacts');
  const [opened, dialog] = useDisclosure(false);
  const title = contact ? words('editTitle', { name: nameOf(contact) }) : words('new');
  const looks = contact ? { size: 'xs', variant: 'default', 'aria-label': title, 'data-open': true } : {};
  return (
    <>
      <Button {...looks} onClick={dialog.open}>
        {words(contact ? 'edit' : 'new')}
      </Button>
      <Dialog title={title} opened={opened} onClose={dialog.close}>
        <Suspense fallback={null}>
          <ContactForm orgId={orgId} {...(contact && { contact })} onClose={dialog.close} />
        </Suspense>
      </Dialog>
    </>
  );
}
