import { Badge, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import { shownAddress } from '../../../ui/text/mail-domain.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { Trace, type TracedAttempt } from '../parts/trace.tsx';
import { attemptQuery } from '../queries.ts';
import { RESULT_COLORS } from './sign-in-attempts.tsx';
import '../words.ts';

const route = getRouteApi('/sign-on/attempts/$attemptId');

function useFacts(attempt: TracedAttempt): readonly Fact[] {
  const words = useTranslations('signOn');
  const { id, createdAt, kind, protocol, email, userId, providerId, providerName } = attempt;
  return [
    { name: words('attempts.reference'), value: <CopyText text={id} /> },
    { name: words('attempts.when'), value: <Instant at={createdAt} /> },
    { name: words('attempts.kind'), value: words(`attempts.kinds.${kind}`) },
    {
      name: words('attempts.provider'),
      value: providerId ? (
        <Link to="/sign-on/$providerId" params={{ providerId }}>
          {providerName}
        </Link>
      ) : (
        words('attempts.noProvider')
      ),
    },
    { name: words('type'), value: words(`types.${protocol}`) },
    { name: words('attempts.who'), value: email && shownAddress(email) },
    {
      name: words('attempts.person'),
      value: userId && (
        <Link to="/people/$userId" params={{ userId }}>
          {email ? shownAddress(email) : userId}
        </Link>
      ),
    },
    { name: words('attempts.ip'), value: attempt.ip },
    { name: words('attempts.browser'), value: attempt.userAgent },
    { name: words('attempts.requestId'), value: attempt.requestId && <CopyText text={attempt.requestId} /> },
    { name: words('attempts.generation'), value: attempt.configVersion },
  ];
}

function Body({ attempt }: { readonly attempt: TracedAttempt }) {
  const words = useTranslations('signOn.attempts');
  const facts = useFacts(attempt);
  return (
    <Stack>
      <Text>{words(`verdicts.${attempt.trace.verdict}`)}</Text>
      <Stack className="gh-card" component="section">
        <Facts facts={facts} />
      </Stack>
      <Title order={2}>{words('trace')}</Title>
      <Trace steps={attempt.trace.steps} />
    </Stack>
  );
}

/** One sign-in through an identity provider, with the steps that it took. */
export function SignInAttempt() {
  const words = useTranslations('signOn.attempts');
  const { attemptId } = route.useParams();
  return (
    <QueryView query={useQuery(attemptQuery(attemptId))}>
      {(attempt) => (
        <Page
          title={words('one')}
          orgId={attempt.orgId}
          aside={
            <Badge size="md" color={RESULT_COLORS[attempt.result]}>
              {words(`results.${attempt.result}`)}
            </Badge>
          }
        >
          <Body attempt={attempt} />
        </Page>
      )}
    </QueryView>
  );
}
