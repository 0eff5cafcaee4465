import { Button, Group, Stack, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fileNameOf } from '../../../ui/text/safe-text.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import type { Draft } from '../model.ts';
import type { Effect } from '../queries.ts';
import { ChangeLine } from './changes.tsx';

/** Loaded when the ten newest requests do not suffice. */
const DraftChanges = lazyPart(async () => ({ default: (await import('../replays/draft-changes.tsx')).DraftChanges }));

type Transition = Effect['summary']['transitions'][number];
type Changed = Effect['sample'][number];

interface DetailsProps {
  readonly effect: Effect;
  readonly orgId: string;
  readonly ruleId: string | undefined;
  readonly draft: Draft;
  readonly windowDays: number;
}

const keyOf = ({ from, to }: Transition): string => `${from} ${to}`;
const isOf =
  ({ from, to }: Transition) =>
  ({ before, after }: Changed): boolean =>
    before.outcome === from && after.outcome === to;

function Line({ request }: { readonly request: Changed }) {
  const { targetExecutablePath: path } = request;
  return <ChangeLine request={request} name={path ? fileNameOf(path) : undefined} />;
}

/** The requests of one number: those of the newest ten, and all of them on demand. */
function Listed({ transition, effect: { sample }, ...draft }: DetailsProps & { readonly transition: Transition }) {
  const words = useTranslations('rules.effect');
  const { count, from, to } = transition;
  const newest = sample.filter(isOf(transition));
  return (
    <Stack gap="xs">
      {newest.map((request) => (
        <Line key={request.requestId} request={request} />
      ))}
      {newest.length < count && (
        <>
          <Text className="gh-hint">{words('someOf', { shown: newest.length, count })}</Text>
          <Suspense fallback={null}>
            <DraftChanges {...draft} {...{ from, to, count }} />
          </Suspense>
        </>
      )}
    </Stack>
  );
}

/** How many decisions would turn from one outcome into another; each number opens the requests behind it. */
export function ReplayDetails(props: DetailsProps) {
  const words = useTranslations('rules.effect');
  const [opened, setOpened] = useState<string | null>(null);
  const { transitions } = props.effect.summary;
  const transition = transitions.find((one) => keyOf(one) === opened);
  const outcome = (name: Transition['from']) => words(`outcome.${name}`);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {transitions.map((one) => {
          const isOpened = keyOf(one) === opened;
          return (
            <Button
              key={keyOf(one)}
              size="compact-sm"
              variant={isOpened ? 'filled' : 'default'}
              aria-expanded={isOpened}
              onClick={() => setOpened(isOpened ? null : keyOf(one))}
            >
              {words('transition', { from: outcome(one.from), to: outcome(one.to) })} {one.count}
            </Button>
          );
        })}
      </Group>
      {transition ? (
        <Listed {...props} transition={transition} />
      ) : (
        props.effect.sample.map((request) => <Line key={request.requestId} request={request} />)
      )}
    </Stack>
  );
}
