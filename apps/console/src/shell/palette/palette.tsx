import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../api/me.ts';
import { Overlay } from '../../ui/forms/unsaved.ts';
import { NAVIGATION } from '../navigation.ts';
import { type Found, type Kind, useFound } from './found.ts';

const DEBOUNCE_MS = 150;

interface GroupProps {
  readonly label: string;
  readonly found: readonly Found[];
  readonly onOpen: (target: Found['target']) => void;
}

function Group({ label, found, onOpen }: GroupProps) {
  return found.length === 0 ? null : (
    <Spotlight.ActionsGroup label={label}>
      {found.map(({ id, label: name, detail, target }) => (
        <Spotlight.Action key={id} label={name} description={detail} onClick={() => onOpen(target)} />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** The screens that one may read and whose name holds the text. */
function useScreens(search: string): readonly Found[] {
  const words = useTranslations('shell.nav');
  const can = useCan();
  return NAVIGATION.filter(({ needs }) => can(needs))
    .map(({ label, to }) => ({ id: label, label: words(label), target: { to } }))
    .filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()));
}

interface FoundGroup {
  readonly name: 'screens' | Kind;
  readonly found: readonly Found[];
}

/** Screens match what is typed at once; the server is asked for the rest when typing pauses. */
function useGroups(typed: string, settled: string): readonly FoundGroup[] {
  return [
    { name: 'screens', found: useScreens(typed) },
    { name: 'organizations', found: useFound('organizations', settled) },
    { name: 'sites', found: useFound('sites', settled) },
    { name: 'devices', found: useFound('devices', settled) },
    { name: 'people', found: useFound('people', settled) },
  ];
}

const [store, spotlight] = createSpotlight();

/**
 * Results that arrive late stand before or behind the highlighted row, which the list counts by its place: its place is
 * told anew. When the row itself has gone, the first one is highlighted.
 */
function useKeptHighlight(ids: string): void {
  useEffect(() => {
    const rows = [...document.querySelectorAll('[role=dialog] [data-action]')];
    const at = rows.findIndex((row) => row.hasAttribute('data-selected'));
    if (at === -1) rows[0]?.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: Math.max(at, 0) }));
  }, [ids]);
}

/** Jumps to a screen, an organisation, a site, a device or a person; the server searches. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = useTranslations('shell.palette');
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [search] = useDebouncedValue(query.trim(), DEBOUNCE_MS);
  const groups = useGroups(query.trim(), search);
  const rows = groups.flatMap(({ found }) => found);
  const [first] = rows;
  useKeptHighlight(rows.map(({ id }) => id).join());
  useEffect(() => {
    spotlight.open();
    return spotlight.close;
  }, []);
  const open = (target: Found['target']) => {
    onClose();
    void navigate(target as Parameters<typeof navigate>[0]);
  };
  return (
    <Spotlight.Root
      onSpotlightClose={onClose}
      shortcut={null}
      store={store}
      query={query}
      onQueryChange={setQuery}
      scrollable
    >
      <Overlay onClose={spotlight.close} />
      <Spotlight.Search
        placeholder={words('placeholder')}
        aria-label={words('placeholder')}
        onKeyDown={(event) => {
          // The list selects its first entry when the text changes, which may be before the server has answered.
          const isSelected = event.currentTarget.closest('[role=dialog]')?.querySelector('[data-selected]');
          if (event.key === 'Enter' && !isSelected && first) open(first.target);
        }}
      />
      <Spotlight.ActionsList>
        {groups.map(({ name, found }) => (
          <Group key={name} label={words(name)} found={found} onOpen={open} />
        ))}
        {groups.every(({ found }) => found.length === 0) && <Spotlight.Empty>{words('nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
