import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Flags, StatusBadge, useHeldWords } from '../../../ui/elevation/badges.tsx';
import { CopyText, Hash } from '../../../ui/text/copy-text.tsx';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import { Page } from '../../../ui/page.tsx';
import { fileNameOf, plainName, SafeText } from '../../../ui/text/safe-text.tsx';
import { Neighbours } from '../parts/neighbours.tsx';
import { WhyCard } from '../parts/explanation.tsx';
import { Story } from '../parts/story.tsx';
import { OUTCOMES, SHARED } from '../model.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { Countdown, Instant } from '../../../ui/text/time.tsx';
import { DecisionButtons } from '../../../ui/elevation/decide/decision-buttons.tsx';
import { Taking } from '../../../ui/elevation/taking.tsx';
import { WindowButtons } from '../../../ui/elevation/window-buttons.tsx';
import { type RequestDetail, requestQuery, subjectOf } from '../../../ui/elevation/request.ts';
import '../words.ts';
import '../../../ui/elevation/words.ts';

const route = getRouteApi('/requests/$requestId');

interface RequestProps {
  readonly request: RequestDetail;
}

const safe = (value: string | null | undefined, path = false) => value && <SafeText value={value} path={path} />;

function useWhat(request: RequestDetail): readonly Fact[] {
  const words = useTranslations('requests.facts');
  const flowWords = useTranslations('elevation.flow');
  // Command lines may hold secrets: the server hides them from some readers of the request.
  const hidden = (length: number | null | undefined) => length && words('hidden', { length });
  return [
    { name: words('kind'), value: flowWords(request.flowType) },
    { name: words('path'), value: safe(request.targetExecutablePath, true) },
    {
      name: words('hash'),
      value: request.targetExecutableHash && <Hash value={request.targetExecutableHash} />,
    },
    { name: words('signer'), value: safe(request.targetExecutableSigner) },
    {
      name: words('thumbprint'),
      value: request.targetExecutableSignerThumbprint && <Hash value={request.targetExecutableSignerThumbprint} />,
    },
    { name: words('publisher'), value: safe(request.targetExecutablePublisher) },
    { name: words('parent'), value: safe(request.parentImage, true) },
    { name: words('commandLine'), value: safe(request.commandLine) ?? hidden(request.commandLineLength) },
    { name: words('pid'), value: request.pid },
    { name: words('tool'), value: safe(request.toolName) },
    { name: words('tier'), value: request.riskTier },
    {
      name: words('input'),
      value: request.toolInput ? safe(JSON.stringify(request.toolInput)) : hidden(request.toolInputLength),
    },
  ];
}

/** The rule or the software policy that decided. */
function RuleName({ request: { orgId, pamRuleId, pamRuleName, matchedPolicyName } }: RequestProps) {
  if (!pamRuleId || !pamRuleName) return matchedPolicyName;
  return (
    <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId: pamRuleId }}>
      {pamRuleName}
    </Link>
  );
}

function useWho(request: RequestDetail): readonly Fact[] {
  const words = useTranslations('requests.facts');
  const heldWords = useHeldWords();
  return [
    { name: words('user'), value: safe(request.subjectUsername ?? request.requestedByName) },
    { name: words('groups'), value: safe(request.adGroups.join(', ')) },
    {
      name: words('device'),
      value: (
        <Link to="/devices/$deviceId" params={{ deviceId: request.deviceId }}>
          <SafeText value={request.deviceHostname} />
        </Link>
      ),
    },
    { name: words('place'), value: [request.orgName, request.siteName].filter(Boolean).join(' ▸ ') },
    { name: words('reason'), value: request.reason },
    { name: words('ticket'), value: safe(request.ticket) },
    { name: words('held'), value: request.held && heldWords(request.held) },
  ];
}

/** What was decided, by which rule or person, and for how long. */
function useDecision(request: RequestDetail): readonly Fact[] {
  const words = useTranslations('requests.facts');
  const until = request.status === 'revoked' ? request.endedAt : request.expiresAt;
  return [
    {
      name: words(request.pamRuleName ? 'rule' : 'policy'),
      value: (request.pamRuleName ?? request.matchedPolicyName) && <RuleName request={request} />,
    },
    { name: words('decision'), value: request.approvedByName ?? request.deniedByName ?? request.revokedByName },
    { name: words('decisionReason'), value: request.decisionReason ?? request.revokeReason },
    {
      name: words('minutes'),
      value: request.durationMinutes && words('minutesOf', { minutes: request.durationMinutes }),
    },
    { name: words('until'), value: until && <Instant at={until} siteId={request.siteId} absolute /> },
  ];
}

const MEMBERS = { approved: 'approved', auto_approved: 'autoApproved', denied: 'denied', expired: 'expired' } as const;

/** What became of earlier requests, each number with its list; outcomes that did not occur are left out. */
function Before({ request: { id: earlier, orgId: org, before } }: RequestProps) {
  const words = useTranslations('requests');
  const facts = SHARED.map((shared) => {
    const counts = before[shared];
    const told = OUTCOMES.filter((outcome) => counts && counts[MEMBERS[outcome]] > 0);
    const links = told.map((outcome) => (
      <Link key={outcome} to="/requests" search={{ org, earlier, shared, outcome }}>
        {words(`counts.${MEMBERS[outcome]}`, { count: counts?.[MEMBERS[outcome]] ?? 0 })}
      </Link>
    ));
    const value = links.length > 0 ? <Group gap="xs">{links}</Group> : words('counts.none');
    return { name: words(`before.${shared}`), value: counts && value };
  });
  return <Facts facts={facts} />;
}

function AuditLink({ request: { id } }: RequestProps) {
  const words = useTranslations('requests');
  if (!useCan()('GET /audit-logs')) return null;
  return (
    <Link to="/audit" search={{ resource: id }}>
      {words('audit')}
    </Link>
  );
}

function Body({ request }: RequestProps) {
  const words = useTranslations('requests.sections');
  return (
    <div className="gh-columns">
      <Stack className="gh-card">
        <Title order={2}>{words('what')}</Title>
        <Flags flags={request.flags} />
        <Facts facts={useWhat(request)} />
        <Title order={2}>{words('who')}</Title>
        <Facts facts={[...useWho(request), ...useDecision(request)]} />
      </Stack>
      <Stack>
        <WhyCard id={request.id} orgId={request.orgId} />
        <Stack className="gh-card">
          <Title order={2}>{words('before')}</Title>
          <Before request={request} />
          <Title order={2}>{words('story')}</Title>
          <Story request={request} />
          <AuditLink request={request} />
        </Stack>
      </Stack>
    </div>
  );
}

/** How many of the needed approvals are given, where one does not suffice. */
function Votes({ request: { votesRequired, votes } }: RequestProps) {
  const words = useTranslations('requests');
  if (votesRequired < 2) return null;
  const names = votes.map(({ name }) => name).join(', ');
  return <Text size="sm">{words('votes', { given: votes.length, required: votesRequired, names })}</Text>;
}

interface ActionsProps {
  readonly request: RequestDetail;
  readonly onDecided: () => void;
}

function Actions({ request, onDecided }: ActionsProps) {
  const words = useTranslations('requests');
  const mayWrite = useCan()('POST /pam/rules');
  return (
    <Group gap="xs">
      {request.status === 'pending' && <DecisionButtons request={request} size="sm" onDecided={onDecided} />}
      <WindowButtons request={request} size="sm" />
      {mayWrite && (
        <Button
          component={Link}
          size="sm"
          variant="default"
          to="/orgs/$orgId/rules/new"
          params={{ orgId: request.orgId } as never}
          search={{ from: request.id } as never}
        >
          {words('makeRule')}
        </Button>
      )}
      <CopyText name={words('copyLink')} text={location.href} shown="" />
    </Group>
  );
}

/** One request with its whole story, at its permanent address. */
export function RequestPage() {
  const words = useTranslations('requests');
  const flowWords = useTranslations('elevation.flow');
  const { requestId } = route.useParams();
  const query = useQuery(requestQuery(requestId));
  return (
    <>
      <Neighbours id={requestId} />
      <QueryView query={query}>
        {(request) => (
          <Page
            key={requestId}
            title={words('on', {
              what: fileNameOf(subjectOf(request)) || flowWords(request.flowType),
              device: plainName(request.deviceHostname),
            })}
            aside={
              <Group gap="xs">
                <span role="status">
                  <StatusBadge status={request.status} />
                </span>
                <Votes request={request} />
                {request.status === 'pending' && request.pendingUntil && (
                  <Countdown until={request.pendingUntil} lead />
                )}
                {request.status === 'pending' && <Taking request={request} />}
              </Group>
            }
            actions={<Actions request={request} onDecided={() => void query.refetch()} />}
            orgId={request.orgId}
          >
            <Body request={request} />
          </Page>
        )}
      </QueryView>
    </>
  );
}
