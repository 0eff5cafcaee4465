import { Button, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { Dialog } from '../../../ui/forms/dialogs.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { type Column, DataTable, Pager } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { usePartnerOf } from '../../../ui/use-org.tsx';
import { DeletePolicyButton, EditPolicyButton } from '../parts/policy-buttons.tsx';
import { StateBadge } from '../parts/settings-card.tsx';
import { type Assignment, type CapturePolicy, CHANGES, policyQuery, unassignPolicy } from '../policies.ts';

/** Loaded when a policy is assigned for the first time. */
const AssignForm = lazyPart(async () => ({ default: (await import('../parts/assign-form.tsx')).AssignForm }));

/** Puts a policy into effect for a place. */
function AssignButton({ policy }: { readonly policy: CapturePolicy }) {
  const words = useTranslations('captureLevels');
  const { name, orgId } = policy;
  const [opened, dialog] = useDisclosure(false);
  if (!useCan()('POST /configuration-policies/{id}/assignments')) return null;
  return (
    <>
      <Button onClick={dialog.open}>{words('assign')}</Button>
      <Dialog title={words('assignTitle', { name })} orgId={orgId} opened={opened} onClose={dialog.close}>
        <Suspense fallback={null}>{opened && <AssignForm policy={policy} onClose={dialog.close} />}</Suspense>
      </Dialog>
    </>
  );
}

const route = getRouteApi('/rules/capture/$policyId');
const PAGE_LENGTH = 25;
const UNASSIGN = 'DELETE /configuration-policies/{id}/assignments/{assignmentId}';

function useColumns(policy: string): readonly Column<Assignment>[] {
  const words = useTranslations('captureLevels');
  const uiWords = useTranslations('ui');
  return [
    { id: 'level', header: words('level'), cell: ({ level }) => words(`levels.${level}`) },
    { id: 'place', header: words('place'), cell: ({ level, targetId }) => <PlaceName level={level} id={targetId} /> },
    { id: 'since', header: words('since'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    {
      id: 'acts',
      header: uiWords('actions'),
      bare: true,
      needs: UNASSIGN,
      cell: (assignment) => (
        <ConfirmButton
          label={words('unassign')}
          title={words('unassignTitle', { name: policy })}
          size="xs"
          needs={UNASSIGN}
          changes={CHANGES}
          act={() => unassignPolicy(assignment)}
        >
          <PlaceName level={assignment.level} id={assignment.targetId} />. {words('unassignText')}
        </ConfirmButton>
      ),
    },
  ];
}

function Assignments({ policy: { name, assignments } }: { readonly policy: CapturePolicy }) {
  const words = useTranslations('captureLevels');
  const columns = useColumns(name);
  const [page, setPage] = useState(1);
  const shown = assignments.slice((page - 1) * PAGE_LENGTH, page * PAGE_LENGTH);
  return (
    <Stack gap="sm">
      <Title order={2}>{words('assigned')}</Title>
      {assignments.length === 0 ? (
        <EmptyView title={words('unassigned')} text={words('unassignedText')} />
      ) : (
        <DataTable label={words('assigned')} columns={columns} rows={shown} idOf={({ id }) => id} />
      )}
      {assignments.length > PAGE_LENGTH && (
        <Pager pagination={{ page, limit: PAGE_LENGTH, total: assignments.length }} onPage={setPage} />
      )}
    </Stack>
  );
}

function Policy({ policy }: { readonly policy: CapturePolicy }) {
  const words = useTranslations('captureLevels');
  const { features, orgId, updatedAt } = policy;
  const partnerOf = usePartnerOf([policy]);
  return (
    <Page
      title={policy.name}
      orgId={orgId}
      actions={
        <>
          <AssignButton policy={policy} />
          <EditPolicyButton policy={policy} />
          <DeletePolicyButton policy={policy} />
        </>
      }
    >
      <Facts
        facts={[
          {
            name: words('state'),
            value: features.pam ? <StateBadge on={features.pam.uacInterceptionEnabled} /> : words('undecided'),
          },
          {
            name: words('owner'),
            value: orgId ? <PlaceName level="organization" id={orgId} /> : words('owners.partner'),
          },
          { name: words('levels.partner'), value: partnerOf(policy) },
          { name: words('changed'), value: <Instant at={updatedAt} /> },
        ]}
      />
      <Assignments policy={policy} />
    </Page>
  );
}

/** One capture policy with the places that it is assigned to. */
export function CapturePolicyPage() {
  const { policyId } = route.useParams();
  return <QueryView query={useQuery(policyQuery(policyId))}>{(policy) => <Policy policy={policy} />}</QueryView>;
}
