import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { type RequestDetail, requestQuery } from '../../../ui/elevation/request.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { endingOf } from '../model.ts';
import '../../../ui/elevation/words.ts';
import approvalsWords from '../../../words/en/approvals.json' with { type: 'json' };
import { addWords } from '../../../words/index.ts';

addWords({ approvals: approvalsWords });

function Told({ request, withReason }: { readonly request: RequestDetail; readonly withReason: boolean }) {
  const words = useTranslations('approvals');
  const status = useTranslations('elevation.status')(request.status);
  const { name, minutes, at, reason } = endingOf(request);
  return (
    <Text size="sm" c="dimmed" role="status">
      {name ? words('settledBy', { status, name, minutes }) : words('settled', { status })}
      {at && (
        <>
          , <Instant at={at} siteId={request.siteId} />
        </>
      )}
      {withReason && reason && `: “${reason}”`}
    </Text>
  );
}

interface EndingProps {
  readonly id: string;
  /** Where there is room for it. */
  readonly withReason?: boolean;
}

/** How a request ended that another act has settled: what was decided, by whom, for how long, when and why. */
export function Ending({ id, withReason = false }: EndingProps) {
  const { data } = useQuery(requestQuery(id));
  return data ? <Told request={data} withReason={withReason} /> : null;
}
