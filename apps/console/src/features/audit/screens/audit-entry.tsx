import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ActorName, ActSentence } from '../../../ui/audit/sentence.tsx';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { EntryFacts } from '../parts/entry-facts.tsx';
import { entryQuery } from '../queries.ts';

const route = getRouteApi('/audit/$entryId');

/** One entry at its permanent address. */
export function AuditEntryPage() {
  const words = useTranslations('audit');
  const { entryId } = route.useParams();
  return (
    <QueryView query={useQuery(entryQuery(entryId))}>
      {(entry) => (
        <Page
          title={words('entry', { sequence: entry.sequence })}
          aside={<Instant at={entry.timestamp} absolute />}
          orgId={entry.orgId}
        >
          <div className="gh-card">
            <Text>
              <b>
                <ActorName actor={entry.actor} />
              </b>{' '}
              <ActSentence entry={entry} />
            </Text>
            <EntryFacts entry={entry} place={{}} isAlone />
          </div>
        </Page>
      )}
    </QueryView>
  );
}
