import { Alert, Badge, Button, Group, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { fieldOf, instantOfField } from '../../../ui/forms/fields.ts';
import { DateField } from '../../../ui/forms/inputs.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { NEXT_STAGES, OUTCOMES, type Outlook, type Provider, type Stage, withOutcome } from '../model.ts';
import { breakGlassQuery, CHANGES, enforcementQuery, setEnforcement } from '../queries.ts';

const LASTING: readonly Stage[] = ['warn', 'enforce'];
const DAYS_AHEAD = 30;
const DAY_MS = 86_400_000;
const SHOWN = 10;
const NAME_LENGTH = 60;

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** People with the way to each; a long list is opened on demand. */
function People({
  people,
  note,
}: {
  readonly people: readonly Person[];
  readonly note?: (id: string) => string | null;
}) {
  const words = useTranslations('signOn');
  const [whole, setWhole] = useState(false);
  const shown = whole ? people : people.slice(0, SHOWN);
  return (
    <Stack gap="xs" align="flex-start">
      <List size="sm">
        {shown.map(({ id, name, email }) => (
          <List.Item key={id}>
            <Link to="/people/$userId" params={{ userId: id }}>
              <SafeText value={name} most={NAME_LENGTH} />
            </Link>{' '}
            <SafeText value={email} most={NAME_LENGTH} />
            {note?.(id) && ` · ${note(id)}`}
          </List.Item>
        ))}
      </List>
      {people.length > shown.length && (
        <Button size="xs" variant="subtle" onClick={() => setWhole(true)}>
          {words('showAll', { count: people.length })}
        </Button>
      )}
    </Stack>
  );
}

/** Those who get in with a password all the same, if the provider fails. */
function BreakGlass({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const can = useCan()('GET /users');
  const query = useQuery({ ...breakGlassQuery(provider), enabled: can });
  if (!can) return null;
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        {words('breakGlass')}
      </Title>
      <QueryView query={query}>
        {(people) =>
          people.length === 0 ? (
            <Alert color="orange" variant="light">
              {words('noBreakGlass')}{' '}
              <Link to="/people" search={provider.orgId ? { org: provider.orgId } : {}}>
                {words('toPeople')}
              </Link>
            </Alert>
          ) : (
            <>
              <Text size="sm">{words('breakGlassText')}</Text>
              <People people={people} />
            </>
          )
        }
      </QueryView>
    </Stack>
  );
}

/** Whom it governs, by what awaits each of them. */
function Governed({ users, withoutLink }: Pick<Outlook, 'users' | 'withoutLink'>) {
  const words = useTranslations('signOn');
  const { user } = useMe();
  const noteOf = (id: string): string | null => {
    const notes = users.find(({ userId }) => userId === id)?.reasons.map((reason) => words(`outcomeReasons.${reason}`));
    return [id === user.id ? words('yourself') : '', ...(notes ?? [])].filter(Boolean).join(' · ') || null;
  };
  return (
    <Stack gap="xs">
      <Title order={3} fz="md">
        {words('governed', { count: users.length })}
      </Title>
      <Text size="sm">{users.length === 0 ? words('governsNone') : words('withoutLink', { count: withoutLink })}</Text>
      {OUTCOMES.map((outcome) => ({ outcome, people: withOutcome(users, outcome) }))
        .filter(({ people }) => people.length > 0)
        .map(({ outcome, people }) => (
          <Stack key={outcome} gap={4}>
            <Text size="sm" fw={600} {...(outcome === 'stuck' && { c: 'red' })}>
              {words(`outcomes.${outcome}`, { count: people.length })}
            </Text>
            <People people={people} note={noteOf} />
          </Stack>
        ))}
    </Stack>
  );
}

function labelOf(from: Stage, to: Stage) {
  if (from === 'enforce' && to === 'off') return 'release';
  return from === 'warn' && to === 'warn' ? 'changeDate' : (`setStage.${to}` as const);
}

interface StageButtonProps {
  readonly provider: Provider;
  readonly outlook: Outlook;
  readonly stage: Stage;
}

/** What the stage would mean. */
function StageText({ provider, outlook, stage }: StageButtonProps) {
  const words = useTranslations('signOn');
  const { user } = useMe();
  const isStuck = outlook.users.some(({ userId, outcome }) => userId === user.id && outcome === 'stuck');
  const counts = { count: outlook.users.length, unlinked: outlook.withoutLink };
  return (
    <div>
      {words(`setStageText.${stage}`, { name: provider.name })}
      {LASTING.includes(stage) && ` ${words('enforceCount', counts)}`}
      {LASTING.includes(stage) && isStuck && ` ${words('enforceYourself')}`}
    </div>
  );
}

/** Asks for what the stage needs: its date, and the number of those who would be locked out. */
function StageButton({ provider, outlook, stage }: StageButtonProps) {
  const words = useTranslations('signOn');
  const { name, enforcement } = provider;
  const [date, setDate] = useState(
    () => enforcement.enforceAt ?? new Date(Date.now() + DAYS_AHEAD * DAY_MS).toISOString(),
  );
  const [confirmed, setConfirmed] = useState('');
  const stuck = LASTING.includes(stage) ? outlook.summary.stuck : 0;
  const confirmation = confirmed.trim() !== '' && { confirmStuck: Number(confirmed) };
  return (
    <ConfirmButton
      label={words(labelOf(enforcement.stage, stage))}
      title={words(`setStageTitle.${stage}`, { name })}
      needs="PUT /sso/providers/{id}/enforcement"
      {...(stage === 'enforce' && { name })}
      changes={CHANGES}
      act={() => setEnforcement(provider, { stage, ...(stage === 'warn' && { enforceAt: date }), ...confirmation })}
    >
      <Stack gap="sm">
        <StageText {...{ provider, outlook, stage }} />
        {stage === 'warn' && (
          <DateField
            withTime
            label={words('enforceAt')}
            required
            value={fieldOf(date)}
            onChange={(next) => setDate(instantOfField(next) ?? date)}
          />
        )}
        {stuck > 0 && (
          <TextInput
            inputMode="numeric"
            label={words('confirmStuck', { count: stuck })}
            required
            value={confirmed}
            onChange={({ currentTarget }) => setConfirmed(currentTarget.value)}
          />
        )}
      </Stack>
    </ConfirmButton>
  );
}

function Stages({ provider, outlook }: Omit<StageButtonProps, 'stage'>) {
  const words = useTranslations('signOn');
  const { status, enforcement } = provider;
  const mayBegin = (stage: Stage): boolean =>
    stage === 'off' || (status === 'active' && (stage === 'observe' || outlook.tested));
  return (
    <>
      {status !== 'active' && <Text size="sm">{words('needsActive')}</Text>}
      <Group gap="xs">
        {NEXT_STAGES[enforcement.stage].filter(mayBegin).map((stage) => (
          <StageButton key={stage} {...{ provider, outlook, stage }} />
        ))}
      </Group>
    </>
  );
}

/** The stages of enforcement, behind a sign-in that succeeded and the list of those whom it would concern. */
export function Enforcement({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const format = useFormatter();
  const can = useCan()('GET /sso/providers/{id}/enforcement-preview');
  const query = useQuery({ ...enforcementQuery(provider.id), enabled: can });
  const { stage, enforceAt } = provider.enforcement;
  const date = enforceAt ? format.dateTime(new Date(enforceAt), 'moment') : '';
  return (
    <Stack className="gh-card" component="section">
      <Group gap="xs">
        <Title order={2}>{words('enforcementTitle')}</Title>
        <Badge color={stage === 'enforce' ? 'green' : 'gray'}>{words(`stages.${stage}`)}</Badge>
      </Group>
      <Text size="sm">{words(`stageText.${stage}`, { date })}</Text>
      {can && (
        <QueryView query={query}>
          {(outlook) => (
            <>
              {outlook.postponedBecause && (
                <Alert color="orange" variant="light" role="status">
                  {words('postponedText', { reason: words(`postponed.${outlook.postponedBecause}`) })}
                </Alert>
              )}
              <Alert color={outlook.tested ? 'green' : 'orange'} variant="light" role="status">
                {words(outlook.tested ? 'tested' : 'untested')}
              </Alert>
              <Governed {...outlook} />
              <BreakGlass provider={provider} />
              <Stages provider={provider} outlook={outlook} />
            </>
          )}
        </QueryView>
      )}
    </Stack>
  );
}
