import { Badge, List, Stack, Text, Title } from '@mantine/core';
import type { DataOf } from '@gatehouse/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { getQuery } from '../../../api/client.ts';
import { isUnanswered } from '../../../api/problem.ts';
import { useHeldWords } from '../../../ui/elevation/badges.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { QueryView } from '../../../ui/state-views.tsx';

type Explanation = DataOf<'/pam/elevation-requests/{id}/explanation', 'get'>['explanation'];
type Miss = Explanation['nearestMisses'][number];
type Origin = Miss['origin'];
type Failed = Miss['failed'];
type Shadow = NonNullable<Explanation['shadow']>[number];
type Words = ReturnType<typeof useTranslations<'requests.why'>>;

/** Words for a note of the server, also for one that this console does not know yet. */
function noteOf(words: Words, code: string): string {
  const key = `notes.${code}` as never;
  return words.has(key) ? words(key) : code.replaceAll('_', ' ');
}

const VALUE_LENGTH = 60;
/** A Sunday in January 2026: days of the week are counted from it. */
const SUNDAY = 4;

const explanationQuery = (id: string) =>
  getQuery('requests', '/pam/elevation-requests/{id}/explanation', {
    path: { id },
    select: ({ explanation }) => explanation,
  });

const ruleQuery = (orgId: string, id: string) =>
  getQuery('rules', '/pam/rules/{id}', { path: { id }, query: { orgId }, select: ({ rule }) => rule, retry: false });

interface RuleLinkProps {
  readonly orgId: string;
  readonly ruleId: string;
  readonly name: string;
  readonly origin?: Origin;
}

/** Rules of the partner have a page of their own, which people of organisations may read too. */
function RuleLink({ orgId, ruleId, name, origin = 'organization' }: RuleLinkProps) {
  if (origin !== 'organization')
    return (
      <Link to="/rules/partner/$ruleId" params={{ ruleId }}>
        {name}
      </Link>
    );
  return (
    <Link to="/orgs/$orgId/rules/$ruleId" params={{ orgId, ruleId }}>
      {name}
    </Link>
  );
}

/** The hours of a rule and the time of the request read alike: both in the zone that the rule names. */
function useCheckWords() {
  const format = useFormatter();
  const day = (of: string) =>
    format.dateTime(Date.UTC(2026, 0, SUNDAY + Number(of)), { weekday: 'short', timeZone: 'UTC' });
  const moment = (at: string) => format.dateTime(new Date(at), 'moment');
  return {
    asked: ({ criterion, asked }: Failed) => {
      if (criterion === 'expiry') return moment(asked);
      if (criterion !== 'timeWindow') return asked;
      return asked.replace(/days ([\d,]+)/, (_, days: string) => days.split(',').map(day).join(', '));
    },
    seen: ({ criterion, asked, seen }: Failed) => {
      if (seen === null || criterion === 'expiry') return seen && moment(seen);
      if (criterion !== 'timeWindow') return seen;
      const timeZone = asked.split(' ').at(-1);
      return format.dateTime(new Date(seen), {
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZone,
      });
    },
  };
}

/** What did not hold: the first criterion, or that the organisation has left the rule. */
function Failure({ failed }: { readonly failed: Failed }) {
  const words = useTranslations('requests.why');
  const { asked, seen } = useCheckWords();
  if (failed.criterion === 'optOut') return words('wasLeft');
  return (
    <>
      {words(`criterion.${failed.criterion}`)} {words(`reason.${failed.reason}`)}
      {' – '}
      {words('asked')} <SafeText value={asked(failed)} most={VALUE_LENGTH} />
      {failed.seen !== null && (
        <>
          , {words('seen')} <SafeText value={seen(failed) ?? ''} most={VALUE_LENGTH} />
        </>
      )}
    </>
  );
}

/** A rule that almost matched, and the first criterion that did not. */
function Nearest({ miss, orgId }: { readonly miss: Miss; readonly orgId: string }) {
  const words = useTranslations('requests.why');
  const { ruleId, name, position, origin, failed } = miss;
  return (
    <List.Item>
      {words('nearest', { position, origin })} <RuleLink {...{ orgId, ruleId, name, origin }} />:{' '}
      <Failure failed={failed} />
    </List.Item>
  );
}

/** A rule that is only watched, and what it would have made of the request. */
function ShadowHit({ hit, orgId }: { readonly hit: Shadow; readonly orgId: string }) {
  const words = useTranslations('requests.why');
  const heldWords = useHeldWords();
  const { ruleId, outcome, held } = hit;
  const rule = useQuery(ruleQuery(orgId, ruleId));
  const name = rule.data?.name ?? words(rule.error && !isUnanswered(rule.error) ? 'goneRule' : 'watchedRule');
  return (
    <List.Item>
      {words('watched')} {rule.isError ? name : <RuleLink {...{ orgId, ruleId, name }} />}{' '}
      {words('would', { outcome: words(`outcome.${outcome}`) })}
      {held && ` (${heldWords(held)})`}
    </List.Item>
  );
}

/** The step that decided, marked as such; one whose grant was held back decided nothing. */
function Deciding({ held = false, children }: { readonly held?: boolean; readonly children: ReactNode }) {
  const words = useTranslations('requests.why');
  return (
    <>
      <strong>{children}</strong> {!held && <Badge>{words('deciding')}</Badge>}
    </>
  );
}

function Policies({ policies, held }: Pick<Explanation, 'policies' | 'held'>) {
  const words = useTranslations('requests.why');
  const decided = policies.find((policy) => policy.decided);
  if (policies.length === 0) return <List.Item>{words('noPolicies')}</List.Item>;
  return (
    <List.Item>
      {words('policies', { count: policies.length })}{' '}
      {decided ? (
        <Deciding held={held !== null}>
          {words('decidedBy', { name: decided.name, held: String(held !== null) })}
        </Deciding>
      ) : (
        words('noneMatched')
      )}
    </List.Item>
  );
}

function Rules({ explanation, orgId }: { readonly explanation: Explanation; readonly orgId: string }) {
  const words = useTranslations('requests.why');
  const { matched, nearestMisses, laterMatches, held } = explanation;
  return (
    <List.Item>
      {matched ? (
        <>
          <Deciding held={held !== null}>
            {words('rule', { position: matched.position, origin: matched.origin })}{' '}
            <RuleLink {...{ orgId, ...matched }} />
          </Deciding>
          {matched.editors.length > 0 &&
            ` ${words('editors', { names: matched.editors.map(({ name }) => name).join(', ') })}`}
        </>
      ) : (
        words('noRule')
      )}
      <List size="sm" listStyleType="circle" withPadding>
        {nearestMisses.slice(0, 5).map((miss) => (
          <Nearest key={miss.ruleId} miss={miss} orgId={orgId} />
        ))}
        {laterMatches.map(({ ruleId, name, origin }) => (
          <List.Item key={ruleId}>
            {origin !== 'organization' && words('ofPartner')} <RuleLink {...{ orgId, ruleId, name, origin }} />{' '}
            {words('tooLate')}
          </List.Item>
        ))}
      </List>
    </List.Item>
  );
}

/** By which rules all this is told, and where it ends. */
function Basis({ basis, rulebookVersion, currentVersion, notes }: Explanation) {
  const words = useTranslations('requests.why');
  const isNotable = basis === 'current' || rulebookVersion !== currentVersion;
  return (
    <Stack gap={2}>
      {isNotable && <Text className="gh-hint">{words(basis === 'current' ? 'current' : 'changedSince')}</Text>}
      {notes.map((note) => (
        <Text key={note} className="gh-hint">
          {noteOf(words, note)}
        </Text>
      ))}
    </Stack>
  );
}

function Steps({ explanation, orgId }: { readonly explanation: Explanation; readonly orgId: string }) {
  const words = useTranslations('requests.why');
  const heldWords = useHeldWords();
  const { policies, held, demand, freeze, shadow } = explanation;
  const { verdict, used } = explanation.default;
  return (
    <>
      <List type="ordered" size="sm" spacing="xs">
        <Policies policies={policies} held={held} />
        <Rules explanation={explanation} orgId={orgId} />
        <List.Item>{used ? <Deciding>{words(`default.${verdict}`)}</Deciding> : words('defaultUnused')}</List.Item>
        {held && <List.Item>{words('held', { why: heldWords(held) })}</List.Item>}
        {freeze && <List.Item>{words('frozen')}</List.Item>}
        {demand && demand.approvals > 1 && <List.Item>{words('demand', { approvals: demand.approvals })}</List.Item>}
        {shadow?.map((hit) => (
          <ShadowHit key={hit.ruleId} hit={hit} orgId={orgId} />
        ))}
      </List>
      <Basis {...explanation} />
    </>
  );
}

/** Why the request was decided as it was, or why it waits: policies, rules, the default and what held it back. */
export function WhyCard({ id, orgId }: { readonly id: string; readonly orgId: string }) {
  const words = useTranslations('requests.why');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('title')}</Title>
      <QueryView query={useQuery(explanationQuery(id))}>
        {(explanation) => <Steps explanation={explanation} orgId={orgId} />}
      </QueryView>
    </Stack>
  );
}
