import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Flags, StatusBadge, RequestNotes } from '../../../ui/elevation/badges.tsx';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { plainName, SafeText } from '../../../ui/text/safe-text.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { Countdown } from '../../../ui/text/time.tsx';
import { DecisionButtons } from '../../../ui/elevation/decide/decision-buttons.tsx';
import { type ElevationRequest, shortNameOf, subjectOf } from '../../../ui/elevation/request.ts';
import { Ending } from '../parts/ending.tsx';
import { approvalQuery, reportSuspicious } from '../queries.ts';

const route = getRouteApi('/approvals/$approvalId');

const ASKS = { uac_intercept: 'asks', tech_jit_admin: 'asksRights', ai_tool_action: 'asksTool' } as const;

function What({ request }: { readonly request: ElevationRequest }) {
  const words = useTranslations('approvals');
  const subject = subjectOf(request);
  const user = request.subjectUsername ?? request.requestedByName ?? words('someone');
  return (
    <Stack gap="xs">
      <Text fw={600}>{[request.orgName, request.siteName].filter(Boolean).join(' · ')}</Text>
      <Text>{words(ASKS[request.flowType], { user, device: plainName(request.deviceHostname) })}</Text>
      {subject && <SafeText value={subject} path fw={650} size="md" />}
      <Flags flags={request.flags} />
      {request.reason && <Text>“{request.reason}”</Text>}
      <RequestNotes request={request} />
    </Stack>
  );
}

function ReportButton({ approvalId, request }: { readonly approvalId: string; readonly request: ElevationRequest }) {
  const words = useTranslations('approvals');
  return (
    <ConfirmButton
      label={words('report')}
      title={words('reportTitle', { what: shortNameOf(request) })}
      needs="POST /approvals/{id}/report-suspicious"
      variant="subtle"
      color="red"
      orgId={request.orgId}
      changes={['approvals', 'requests']}
      act={() => reportSuspicious(approvalId)}
    >
      {words('reportText')}
    </ConfirmButton>
  );
}

/** The card that a push opens on a phone: one request, one decision. */
export function ApprovalCard() {
  const words = useTranslations('approvals');
  const { approvalId } = route.useParams();
  const query = useQuery(approvalQuery(approvalId));
  return (
    <Page
      title={words('cardTitle')}
      {...(query.data && { orgId: query.data.request.orgId })}
      actions={
        <Button component={Link} to="/approvals" variant="subtle">
          {words('back')}
        </Button>
      }
    >
      <QueryView query={query}>
        {({ request, status, expiresAt }) => (
          <Stack className="gh-card" maw={520} gap="lg">
            <What request={request} />
            {status === 'pending' && request.status === 'pending' ? (
              <>
                <Group justify="space-between">
                  <Countdown until={expiresAt} lead />
                  <DecisionButtons request={request} size="md" onDecided={() => void query.refetch()} />
                </Group>
                <ReportButton approvalId={approvalId} request={request} />
              </>
            ) : (
              <Group gap="xs">
                <StatusBadge status={request.status} />
                <Ending id={request.id} withReason />
              </Group>
            )}
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
