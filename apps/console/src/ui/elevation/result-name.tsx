import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SafeText } from '../text/safe-text.tsx';
import { End } from './badges.tsx';
import { type ElevationRequest, shortNameOf } from './request.ts';

const NAME_LENGTH = 48;

/** A request in one line: what is asked for, on which device of which organisation, by whom. */
function ResultName({ request }: { readonly request: ElevationRequest }) {
  const { id, deviceHostname, orgName, subjectUsername, requestedByName } = request;
  const user = subjectUsername ?? requestedByName;
  return (
    <Group gap={6} component="span" display="inline-flex">
      <Link to="/requests/$requestId" params={{ requestId: id }}>
        <SafeText value={shortNameOf(request)} most={NAME_LENGTH} />
      </Link>
      <Text span size="sm" c="dimmed">
        <SafeText value={[deviceHostname, user, orgName].filter(Boolean).join(' · ')} most={2 * NAME_LENGTH} />
      </Text>
    </Group>
  );
}

const MAX_NAMED = 10;

/** What a decision on many is about; the list behind the dialog is covered. */
export function RequestNames({ requests }: { readonly requests: readonly ElevationRequest[] }) {
  const more = requests.length - MAX_NAMED;
  return (
    <ul className="gh-plain-list">
      {requests.slice(0, MAX_NAMED).map((request) => (
        <li key={request.id}>
          <ResultName request={request} />
          <End request={request} />
        </li>
      ))}
      {more > 0 && <li>+ {more}</li>}
    </ul>
  );
}

/** Names results by the requests that were selected: a row that is settled leaves its list, and its result stays. */
export function useResultNames(requests: readonly ElevationRequest[]) {
  const [kept, setKept] = useState<ReadonlyMap<string, ElevationRequest>>(new Map());
  const keep = () => setKept(new Map([...kept, ...requests.map((request) => [request.id, request] as const)]));
  const nameOf = (id: string) => {
    const request = kept.get(id);
    return request && <ResultName request={request} />;
  };
  return { keep, nameOf };
}
