import { CloseButton, Group, NativeSelect, Pill, Switch, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { useSentences } from '../../../ui/audit/sentence.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { actionsByArea, type AuditEntry, KINDS, RESULTS, showsEveryone } from '../model.ts';
import { PeriodFilter } from './period-filter.tsx';

/** Loaded after the entries: it searches a long list. */
const PersonFilter = lazyPart(async () => ({ default: (await import('./person-filter.tsx')).PersonFilter }));

const route = getRouteApi('/audit');

function useChange() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (next: Partial<typeof search>) => void navigate({ search: { ...search, ...next }, replace: true });
}

/** One act by its sentence, or all of an area. */
function ActionFilter() {
  const words = useTranslations('audit');
  const { action = '' } = route.useSearch();
  const change = useChange();
  const sentences = useSentences();
  const areas = actionsByArea().map(({ area, all, actions }) => ({
    group: words(`areas.${area}`),
    items: [
      { value: all, label: words('allOf', { area: words(`areas.${area}`) }) },
      ...actions.map((value) => ({ value, label: sentences.get(value) ?? value })),
    ],
  }));
  const isListed = action === '' || areas.some(({ items }) => items.some(({ value }) => value === action));
  return (
    <NativeSelect
      aria-label={words('action')}
      w={230}
      data={[{ value: '', label: words('anyAction') }, ...(isListed ? [] : [action]), ...areas]}
      value={action}
      onChange={({ currentTarget }) => change({ action: currentTarget.value || undefined })}
    />
  );
}

/** Agents and the system write most entries, so the list leaves them out until a reader asks for them. */
function EveryoneSwitch() {
  const words = useTranslations('audit');
  const search = route.useSearch();
  const change = useChange();
  return (
    <Switch
      label={words('everyone')}
      checked={showsEveryone(search)}
      onChange={({ currentTarget }) => change({ by: currentTarget.checked ? 'everyone' : 'people' })}
    />
  );
}

const kindWord = (kind: (typeof KINDS)[number]) => kind.replace('.', '_') as 'pam_rule';

/** What the log can be narrowed to; all of it stands in the address. */
export function Filters() {
  const words = useTranslations('audit');
  const search = route.useSearch();
  const change = useChange();
  const maySearchPeople = useCan()('GET /users');
  return (
    <FilterBar>
      <SearchFilter value={search.q} onChange={(q) => change({ q })} />
      <PeriodFilter from={search.from} to={search.to} onChange={change} />
      {maySearchPeople && (
        <Suspense fallback={<TextInput disabled w={200} aria-label={words('who')} />}>
          <PersonFilter onChoose={(actor) => change({ actor })} />
        </Suspense>
      )}
      <ChoiceFilter
        name={words('kind')}
        value={search.kind}
        choices={KINDS.map((value) => ({ value, label: words(`kinds.${kindWord(value)}`) }))}
        onChange={(kind) => change({ kind })}
      />
      <ActionFilter />
      <ChoiceFilter
        name={words('result')}
        value={search.result}
        choices={RESULTS.map((value) => ({ value, label: words(`results.${value}`) }))}
        onChange={(result) => change({ result })}
      />
      <EveryoneSwitch />
    </FilterBar>
  );
}

function NarrowedTo({ what, onRemove }: { readonly what: string; readonly onRemove: () => void }) {
  const words = useTranslations('audit.narrowed');
  return (
    <Pill size="md">
      <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
        {what}
        <CloseButton size="sm" aria-label={words('remove', { what })} onClick={onRemove} />
      </Group>
    </Pill>
  );
}

/** The one person and the one thing that the log is narrowed to, by the names that the entries give them. */
export function Narrowed({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const words = useTranslations('audit.narrowed');
  const { actor, resource } = route.useSearch();
  const change = useChange();
  if (!actor && !resource) return null;
  const actorName = entries.find((entry) => entry.actor.id === actor)?.actor.name ?? actor;
  const thingName = entries.find((entry) => entry.resource.id === resource)?.resource.name ?? resource;
  return (
    <Group gap="xs">
      <Text className="gh-hint">{words('label')}</Text>
      {actorName && (
        <NarrowedTo what={words('actor', { name: actorName })} onRemove={() => change({ actor: undefined })} />
      )}
      {thingName && (
        <NarrowedTo what={words('resource', { name: thingName })} onRemove={() => change({ resource: undefined })} />
      )}
    </Group>
  );
}
