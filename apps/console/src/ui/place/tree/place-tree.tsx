import { ActionIcon, CloseButton, Group, Radio, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight, IconSearch } from '../../icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { QueryView } from '../../state-views.tsx';
import { SafeText } from '../../text/safe-text.tsx';
import { placeNameQuery } from '../queries.ts';
import { deviceBranch, groupBranch, type Level, organizationBranch, siteBranch, type TreePlace } from './queries.ts';
import '../words.ts';

interface Tree {
  /** The levels at which a place can be chosen; the tree ends at the narrowest of them. */
  readonly levels: readonly Level[];
  readonly value: TreePlace | null;
  readonly onChange: (place: TreePlace) => void;
  /** Said behind the name of a place. */
  readonly note?: (place: TreePlace) => ReactNode;
  /** The site that is chosen, or that holds the chosen device: the tree is opened there. */
  readonly site?: string | undefined;
}

const TreeContext = createContext<Tree & { readonly group: string }>({
  levels: [],
  value: null,
  onChange: () => undefined,
  group: '',
});
const TYPING_MS = 250;
const NAME_LENGTH = 60;

function Name({ place }: { readonly place: TreePlace }) {
  const words = useTranslations('place.tree');
  const { levels, value, onChange, note, group } = useContext(TreeContext);
  const name = place.level === 'device' ? <SafeText value={place.name} most={NAME_LENGTH} /> : place.name;
  const label = (
    <>
      {name}{' '}
      <Text span size="xs" c="dimmed">
        {words(`levels.${place.level}`)}
      </Text>
    </>
  );
  const isChosen = value?.level === place.level && value.id === place.id;
  return (
    <>
      {levels.includes(place.level) ? (
        <Radio name={group} label={label} value={place.id} checked={isChosen} onChange={() => onChange(place)} />
      ) : (
        <Text size="sm">{label}</Text>
      )}
      {note?.(place)}
    </>
  );
}

interface NodeProps {
  readonly place: TreePlace;
  readonly opened?: boolean;
  /** What the place holds; absent for the narrowest ones. */
  readonly children?: () => ReactNode;
}

function Node({ place, opened: initially = false, children }: NodeProps) {
  const words = useTranslations('place.tree');
  // The way to the chosen place may be known only after the tree is shown.
  const [toggled, setToggled] = useState<boolean | null>(null);
  const opened = toggled ?? initially;
  const Icon = opened ? IconChevronDown : IconChevronRight;
  return (
    <li>
      <Group gap={4} wrap="nowrap" align="center" mih={32} className="gh-tree-node">
        {children ? (
          <ActionIcon
            size={28}
            variant="subtle"
            color="gray"
            aria-expanded={opened}
            aria-label={words('open', { name: place.name })}
            onClick={() => setToggled(!opened)}
          >
            <Icon size={16} aria-hidden className="gh-forward" />
          </ActionIcon>
        ) : (
          <span className="gh-tree-leaf" />
        )}
        <Name place={place} />
      </Group>
      {children && opened && <ul>{children()}</ul>}
    </li>
  );
}

interface SearchProps {
  readonly label: string;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

const Search = ({ label, typed, onTyped }: SearchProps) => {
  const words = useTranslations('ui');
  return (
    <TextInput
      size="xs"
      maw={320}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={typed && <CloseButton size="sm" aria-label={words('clearSearch')} onClick={() => onTyped('')} />}
      value={typed}
      onChange={({ currentTarget }) => onTyped(currentTarget.value)}
    />
  );
};

interface BranchProps {
  readonly level: Level;
  /** A place that is listed although it is not among the first. */
  readonly pinned?: string | undefined;
  readonly orgId?: string | undefined;
  readonly branchOf: (search: string) => ReturnType<typeof siteBranch>;
  readonly children: (place: TreePlace) => ReactNode;
}

type PinnedProps = Pick<BranchProps, 'level' | 'orgId' | 'children'> & { readonly id: string };

function Pinned({ level, id, orgId, children }: PinnedProps) {
  const name = useQuery(placeNameQuery(level, id)).data;
  return name === undefined ? null : children({ level, id, name, ...(orgId && { orgId }) });
}

/** The first places of a branch; a search finds the others on the server. */
function Places({ level, pinned, orgId, branchOf, children }: BranchProps) {
  const words = useTranslations('place.tree');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const query = useQuery(branchOf(search));
  return (
    <QueryView query={query}>
      {({ places, total }) => (
        <>
          {(typed !== '' || total > places.length) && (
            <li>
              <Search label={words(`search.${level}`)} typed={typed} onTyped={setTyped} />
            </li>
          )}
          {pinned && search === '' && !places.some(({ id }) => id === pinned) && (
            <Pinned {...{ level, orgId, children }} id={pinned} />
          )}
          {places.map(children)}
          {places.length === 0 && (
            <Text component="li" size="sm" c="dimmed">
              {words(`nothing.${level}`)}
            </Text>
          )}
          {total > places.length && (
            <Text component="li" size="xs" c="dimmed">
              {words('more', { count: total - places.length })}
            </Text>
          )}
        </>
      )}
    </QueryView>
  );
}

const leaf = (place: TreePlace) => <Node key={place.id} place={place} />;

function Site({ place }: { readonly place: TreePlace }) {
  const { levels, site, value } = useContext(TreeContext);
  if (!levels.includes('device')) return <Node place={place} />;
  const device = site === place.id && value?.level === 'device' ? value.id : undefined;
  return (
    <Node place={place} opened={device !== undefined}>
      {() => (
        <Places
          level="device"
          pinned={device}
          orgId={place.orgId}
          branchOf={(search) => deviceBranch(place.orgId ?? '', place.id, search)}
        >
          {leaf}
        </Places>
      )}
    </Node>
  );
}

function Organization({ place, opened = false }: { readonly place: TreePlace; readonly opened?: boolean }) {
  const { levels, site } = useContext(TreeContext);
  return (
    <Node place={place} opened={opened}>
      {() => (
        <>
          {levels.includes('group') && (
            <Places level="group" branchOf={() => groupBranch(place.id)}>
              {leaf}
            </Places>
          )}
          <Places
            level="site"
            pinned={opened ? site : undefined}
            orgId={place.id}
            branchOf={(search) => siteBranch(place.id, search)}
          >
            {(one) => <Site key={one.id} place={one} />}
          </Places>
        </>
      )}
    </Node>
  );
}

function Organizations() {
  return (
    <Places level="organization" branchOf={organizationBranch}>
      {(place) => <Organization key={place.id} place={place} />}
    </Places>
  );
}

interface PlaceTreeProps extends Tree {
  readonly label: string;
  /** The organisation at which the tree begins; without it, with all that are within reach. */
  readonly organization?: TreePlace | undefined;
}

/** Partner, organisations, sites with their devices, and groups: one of them is chosen. */
export function PlaceTree({ label, organization, ...tree }: PlaceTreeProps) {
  const words = useTranslations('place.tree');
  const group = useId();
  const { partnerId, scope } = useMe();
  const hasPartner = tree.levels.includes('partner') && scope === 'partner' && partnerId !== null;
  const below = organization ? <Organization place={organization} opened /> : <Organizations />;
  return (
    <TreeContext value={{ ...tree, group }}>
      <fieldset className="gh-tree">
        <legend>{label}</legend>
        <ul>
          {hasPartner ? (
            <Node place={{ level: 'partner', id: partnerId, name: words('partner') }} opened>
              {() => below}
            </Node>
          ) : (
            below
          )}
        </ul>
      </fieldset>
    </TreeContext>
  );
}
