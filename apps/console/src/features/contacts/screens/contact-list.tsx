import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/lists/filter-bar.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { OrganizationScreen } from '../../../ui/place/organization-screen.tsx';
import { sitesQuery } from '../../../ui/place/queries.ts';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { type Contact, nameOf, NO_SITE, numberOf, ROLES, type SORTS } from '../model.ts';
import { contactsQuery, deleteContact } from '../queries.ts';

/** The form is loaded when it opens for the first time. */
const ContactForm = lazyPart(async () => ({ default: (await import('../parts/contact-form.tsx')).ContactForm }));

interface ContactButtonProps {
  readonly orgId: string;
  /** The contact to change; a new one without it. */
  readonly contact?: Contact;
}

/** Opens the form of a contact. */
function ContactButton({ orgId, contact }: ContactButtonProps) {
  const words = useTranslations('contacts');
  const [opened, dialog] = useDisclosure(false);
  const title = contact ? words('editTitle', { name: nameOf(contact) }) : words('new');
  const looks = contact ? { size: 'xs', variant: 'default', 'aria-label': title, 'data-open': true } : {};
  return (
    <>
      <Button {...looks} onClick={dialog.open}>
        {words(contact ? 'edit' : 'new')}
      </Button>
      <Dialog title={title} orgId={orgId} opened={opened} onClose={dialog.close}>
        <Suspense fallback={null}>
          <ContactForm orgId={orgId} {...(contact && { contact })} onClose={dialog.close} />
        </Suspense>
      </Dialog>
    </>
  );
}

const route = getRouteApi('/orgs/$orgId/contacts');

function RowActions({ contact }: { readonly contact: Contact }) {
  const words = useTranslations('contacts');
  const can = useCan();
  return (
    <Group gap="xs" wrap="nowrap">
      {can('PATCH /orgs/contacts/{id}') && <ContactButton orgId={contact.orgId} contact={contact} />}
      <ConfirmButton
        label={words('delete')}
        title={words('deleteTitle', { name: nameOf(contact) })}
        size="xs"
        needs="DELETE /orgs/contacts/{id}"
        changes={['contacts']}
        act={() => deleteContact(contact.id)}
      >
        {words('deleteText')}
      </ConfirmButton>
    </Group>
  );
}

function Who({ contact: { name, title, isPrimary } }: { readonly contact: Contact }) {
  const words = useTranslations('contacts');
  return (
    <>
      <Group gap="xs">
        <Text span size="sm" fw={600}>
          {name ?? words('noName')}
        </Text>
        {isPrimary && <Badge>{words('primary')}</Badge>}
      </Group>
      {title && (
        <Text size="xs" c="dimmed">
          {title}
        </Text>
      )}
    </>
  );
}

function useColumns(orgId: string, frozen: boolean): readonly Column<Contact>[] {
  const words = useTranslations('contacts');
  const sites = new Map((useQuery(sitesQuery(orgId)).data ?? []).map(({ id, name }) => [id, name]));
  const mayWrite = useCan()('DELETE /orgs/contacts/{id}') && !frozen;
  const columns: Column<Contact>[] = [
    { id: 'name', header: words('name'), sort: 'name', bare: true, cell: (contact) => <Who contact={contact} /> },
    { id: 'email', header: words('email'), sort: 'email', cell: ({ email }) => email && shownAddress(email) },
    { id: 'phone', header: words('phone'), cell: numberOf },
    {
      id: 'site',
      header: words('site'),
      cell: ({ siteId }) => (siteId ? sites.get(siteId) : words('wholeOrganization')),
    },
    {
      id: 'roles',
      header: words('roles'),
      cell: ({ roles }) => roles.map((role) => words(`roleNames.${role}`)).join(', '),
    },
  ];
  const actions: Column<Contact> = {
    id: 'actions',
    header: words('actions'),
    bare: true,
    cell: (contact) => <RowActions contact={contact} />,
  };
  return mayWrite ? [...columns, actions] : columns;
}

function Filters() {
  const words = useTranslations('contacts');
  const { orgId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, page: undefined, ...next }, replace: true });
  const places = [
    { value: NO_SITE, label: words('wholeOrganization') },
    ...sites.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <FilterBar>
      <ChoiceFilter name={words('site')} value={search.site} choices={places} onChange={(site) => change({ site })} />
      <ChoiceFilter
        name={words('role')}
        value={search.role}
        choices={ROLES.map((value) => ({ value, label: words(`roleNames.${value}`) }))}
        onChange={(role) => change({ role })}
      />
    </FilterBar>
  );
}

function Contacts({ frozen }: { readonly frozen: boolean }) {
  const words = useTranslations('contacts');
  const { orgId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns(orgId, frozen);
  const clear = search.site || search.role ? () => void navigate({ search: {} }) : undefined;
  return (
    <ListView
      query={useQuery(contactsQuery(orgId, search))}
      rows={({ data }) => data}
      empty={{ title: words('none'), text: words('noneText'), clear }}
      onPage={(page) => void navigate({ search: { ...search, page } })}
    >
      {(data) => (
        <DataTable
          label={words('title')}
          columns={columns}
          rows={data}
          idOf={({ id }) => id}
          sort={search.sort}
          onSort={(sort) => void navigate({ search: { ...search, sort: sort as (typeof SORTS)[number] } })}
        />
      )}
    </ListView>
  );
}

function Actions({ orgId, frozen }: { readonly orgId: string; readonly frozen: boolean }) {
  const words = useTranslations('contacts');
  const can = useCan();
  if (frozen) return null;
  return (
    <Group gap="xs">
      {can('POST /orgs/contacts/import') && (
        <Button component={Link} to="/orgs/$orgId/contacts/import" params={{ orgId } as never} variant="default">
          {words('import')}
        </Button>
      )}
      {can('POST /orgs/organizations/{id}/contacts') && <ContactButton orgId={orgId} />}
    </Group>
  );
}

/** The contacts of an organisation, by site and role. */
export function ContactList() {
  const words = useTranslations('contacts');
  const { orgId } = route.useParams();
  return (
    <OrganizationScreen
      orgId={orgId}
      title={words('title')}
      actions={(_, frozen) => <Actions orgId={orgId} frozen={frozen} />}
    >
      {(_, frozen) => (
        <>
          <Filters />
          <Contacts frozen={frozen} />
        </>
      )}
    </OrganizationScreen>
  );
}
