import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { lastSignInQuery, type SignInEntry } from '../queries.ts';

function useEntryFacts(): (outcome: 'success' | 'rejected', entry: SignInEntry | null) => Fact {
  const words = useTranslations('signOn');
  const rejections = useTranslations('signOn.rejections');
  return (outcome, entry) => {
    const name = words(outcome === 'success' ? 'lastSuccess' : 'lastFailure');
    if (!entry) return { name, value: words('noSignIn') };
    // Why it was refused, as the sign-in page names it.
    const code = String(entry.details['code']) as 'sso_error';
    const why = outcome === 'success' ? entry.actor.name : rejections(rejections.has(code) ? code : 'sso_error');
    return {
      name,
      value: (
        <>
          <Instant at={entry.timestamp} />
          {why && <Text className="gh-hint">{why}</Text>}
        </>
      ),
    };
  };
}

/** When the provider last signed a person in, and when it last failed to, with the reason. */
export function LastSignIns({ providerId }: { readonly providerId: string }) {
  const words = useTranslations('signOn');
  const factOf = useEntryFacts();
  const may = useCan();
  const [can, mayReadAttempts] = [may('GET /audit-logs'), may('GET /sso/attempts')];
  const success = useQuery({ ...lastSignInQuery(providerId, 'success'), enabled: can });
  const rejected = useQuery({ ...lastSignInQuery(providerId, 'rejected'), enabled: can });
  if (!can) return null;
  return (
    <Stack className="gh-card" component="section">
      <Group justify="space-between">
        <Title order={2}>{words('lastSignIns')}</Title>
        <Text size="sm">
          {mayReadAttempts && (
            <>
              <Link to="/sign-on/attempts" search={{ provider: providerId }}>
                {words('attempts.title')}
              </Link>
              {' · '}
            </>
          )}
          <Link to="/audit" search={{ action: 'sso.login.*', resource: providerId }}>
            {words('allSignIns')}
          </Link>
        </Text>
      </Group>
      <QueryView query={success}>
        {(good) => (
          <QueryView query={rejected}>
            {(bad) => <Facts facts={[factOf('success', good), factOf('rejected', bad)]} />}
          </QueryView>
        )}
      </QueryView>
    </Stack>
  );
}
