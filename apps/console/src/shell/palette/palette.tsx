import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useIsFetching } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../api/generated/access.ts';
import { Overlay } from '../../ui/forms/unsaved.ts';
import type { RecentPage } from '../../ui/page.tsx';
import { type Found, useGroups } from './found.ts';

const DEBOUNCE_MS = 150;

interface GroupProps {
  readonly label: string;
  readonly found: readonly Found[];
  readonly onOpen: (found: Found) => void;
}

function Group({ label, found, onOpen }: GroupProps) {
  return found.length === 0 ? null : (
    <Spotlight.ActionsGroup label={label}>
      {found.map((one) => (
        <Spotlight.Action
          key={one.id}
          label={one.label}
          {...(one.detail && { description: one.detail })}
          leftSection={<one.icon size={18} aria-hidden />}
          onClick={() => onOpen(one)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
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

interface PaletteProps {
  /** What this tab has shown. */
  readonly recent: readonly RecentPage[];
  /** Asks the next screen for the form of an operation. */
  readonly onAct: (operation: Operation) => void;
  readonly onClose: () => void;
}

/** Begins an act, or jumps to what was seen last, a screen or what the server finds. */
export function Palette({ recent, onAct, onClose }: PaletteProps) {
  const words = useTranslations('shell.palette');
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [search] = useDebouncedValue(query.trim(), DEBOUNCE_MS);
  const groups = useGroups(recent, query.trim(), search);
  const rows = groups.flatMap(({ found }) => found);
  const asked = useIsFetching({ predicate: ({ queryKey }) => queryKey[1] === 'palette' });
  const isEmpty = rows.length === 0 && asked === 0 && search === query.trim();
  const [first] = rows;
  useKeptHighlight(rows.map(({ id }) => id).join());
  useEffect(() => {
    spotlight.open();
    return spotlight.close;
  }, []);
  const open = ({ target, act }: Found) => {
    onClose();
    if (act) onAct(act);
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
          if (event.key === 'Enter' && !isSelected && first) open(first);
        }}
      />
      <Spotlight.ActionsList>
        {groups.map(({ name, found }) => (
          <Group key={name} label={words(name === 'acts' ? 'acts.label' : name)} found={found} onOpen={open} />
        ))}
        {isEmpty && <Spotlight.Empty>{words('nothing')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
