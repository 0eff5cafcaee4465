import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { SessionFacts } from '../../../ui/rows/session-facts.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { endOwnSession, type Session, sessionsQuery } from '../queries.ts';
import { Card, CHANGES, Mark } from './cards.tsx';

function EndButton({ id }: { readonly id: string }) {
  const words = useTranslations('account');
  return (
    <ConfirmButton
      label={words('end')}
      title={words('endTitle')}
      size="xs"
      needs="DELETE /auth/sessions/{id}"
      changes={CHANGES}
      act={() => endOwnSession(id)}
    >
      {words('endText')}
    </ConfirmButton>
  );
}

const presentFirst = (sessions: readonly Session[]): readonly Session[] =>
  sessions.toSorted((one, other) => Number(other.current) - Number(one.current));

/** Where one is signed in. */
export function Sessions() {
  const words = useTranslations('account');
  return (
    <Card title={words('sessions')}>
      <QueryView query={useQuery(sessionsQuery)}>
        {(sessions) =>
          presentFirst(sessions).map((session) => (
            <ActRow
              key={session.id}
              act={session.current ? <Mark>{words('current')}</Mark> : <EndButton id={session.id} />}
            >
              <SessionFacts
                session={session}
                place={session.membership.orgName ?? session.membership.partnerName ?? words('system')}
              />
            </ActRow>
          ))
        }
      </QueryView>
    </Card>
  );
}
