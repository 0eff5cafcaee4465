import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Reach } from '../access/reach.tsx';
import { RightsInWords } from '../access/rights-in-words.tsx';
import { type Membership, type Person, useRoles } from '../queries.ts';
import { lazyPart } from '../../../ui/later/lazy-part.ts';

/** Loaded with the first opening. */
const MembershipDialog = lazyPart(async () => ({
  default: (await import('../access/membership-dialog.tsx')).MembershipDialog,
}));
const InviteDialog = lazyPart(async () => ({ default: (await import('../access/invite-dialog.tsx')).InviteDialog }));

interface MembershipsProps {
  readonly person: Person;
  readonly mayChange: boolean;
}

function ChangeButton({ person, membership }: { readonly person: Person; readonly membership: Membership }) {
  const words = useTranslations('people');
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" miw="max-content" onClick={dialog.open}>
        {words('change')}
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <MembershipDialog {...{ person, membership }} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}

/** Gives a known person another membership. */
function AddButton({ person }: { readonly person: Person }) {
  const words = useTranslations('people');
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" w="fit-content" onClick={dialog.open}>
        {words('addMembership')}
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <InviteDialog person={person} orgId={undefined} siteId={undefined} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}

function OneMembership({ person, membership, mayChange }: MembershipsProps & { readonly membership: Membership }) {
  const role = (useRoles().data ?? []).find(({ id }) => id === membership.roleId);
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Text fw={600}>{membership.roleName}</Text>
          <Text className="gh-hint">
            <Reach membership={membership} />
          </Text>
        </div>
        {mayChange && <ChangeButton {...{ person, membership }} />}
      </Group>
      {role && <RightsInWords permissions={role.permissions} />}
    </Stack>
  );
}

/** What a person can do, in words, and where. */
export function Memberships({ person, mayChange }: MembershipsProps) {
  const words = useTranslations('people');
  const can = useCan();
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('memberships')}</Title>
      {person.memberships.map((membership, index) => (
        <Stack key={membership.id}>
          {index > 0 && <Divider />}
          <OneMembership {...{ person, membership }} mayChange={mayChange && can('PATCH /users/{id}')} />
        </Stack>
      ))}
      {mayChange && person.status === 'active' && can('POST /users') && <AddButton person={person} />}
    </Stack>
  );
}
