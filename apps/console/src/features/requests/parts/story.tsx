import { Text, Timeline } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { RequestDetail } from '../../../ui/elevation/request.ts';
import { Instant } from '../../../ui/text/time.tsx';
import '../words.ts';

const COMMANDS = ['actuate_elevation', 'revoke_elevation', 'elevation_outcome'] as const;

/** What happened; of a command also what it asks of the device. */
function useTitle(): (entry: RequestDetail['timeline'][number]) => string {
  const words = useTranslations('requests.events');
  const commandWords = useTranslations('requests.commands');
  return ({ event, step, count, commandType }) => {
    const command = COMMANDS.find((known) => known === commandType);
    return [words(event, { step: step ?? '', count: count ?? 0 }), command ? commandWords(command) : commandType]
      .filter(Boolean)
      .join(': ');
  };
}

/** What happened to a request, and when it will expire. */
export function Story({ request: { timeline, status, pendingUntil, siteId } }: { readonly request: RequestDetail }) {
  const words = useTranslations('requests.events');
  const titleOf = useTitle();
  return (
    <Timeline active={timeline.length - 1} bulletSize={12} lineWidth={2}>
      {timeline.map((entry, index) => (
        <Timeline.Item key={index} title={titleOf(entry)}>
          <Text size="sm" c="dimmed">
            <Instant at={entry.at} siteId={siteId} absolute /> {entry.actorName}
          </Text>
          {entry.reason && <Text size="sm">“{entry.reason}”</Text>}
        </Timeline.Item>
      ))}
      {status === 'pending' && pendingUntil && (
        <Timeline.Item title={words('willExpire')}>
          <Text className="gh-hint">
            <Instant at={pendingUntil} siteId={siteId} absolute />
          </Text>
        </Timeline.Item>
      )}
    </Timeline>
  );
}
