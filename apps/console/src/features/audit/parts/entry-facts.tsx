import { Button, Code, CopyButton, Group, Stack } from '@mantine/core';
import { IconCheck, IconCopy } from '../../../ui/icons.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { getQuery } from '../../../api/client.ts';
import { useMe } from '../../../api/me.ts';
import { CopyText, Hash } from '../../../ui/text/copy-text.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import type { AuditEntry, AuditFilter } from '../model.ts';

const NOTHING = '–';

const shown = (value: unknown): string =>
  value === null || value === undefined ? NOTHING : typeof value === 'string' ? value : JSON.stringify(value);

/** What an act changed: each field with what it was before and is after. */
function ChangedFields({ changes }: { readonly changes: unknown }) {
  const words = useTranslations('audit');
  const fields = Object.entries((changes ?? {}) as Record<string, { before?: unknown; after?: unknown } | null>);
  if (fields.length === 0) return null;
  const facts = fields.map(([name, change]) => ({
    name,
    value: (
      <>
        <del>
          <SafeText value={shown(change?.before)} />
        </del>{' '}
        →{' '}
        <ins>
          <SafeText value={shown(change?.after)} />
        </ins>
      </>
    ),
  }));
  return (
    <section aria-label={words('changes')}>
      <Facts facts={facts} />
    </section>
  );
}

interface EntryProps {
  readonly entry: AuditEntry;
}

/** The whole entry, as the API gives it. */
function CopyJson({ entry }: EntryProps) {
  const words = useTranslations('audit');
  return (
    <CopyButton value={JSON.stringify(entry, null, 2)}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant="default"
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={copy}
        >
          {words(copied ? 'copied' : 'copyJson')}
        </Button>
      )}
    </CopyButton>
  );
}

interface EntryActsProps extends EntryProps {
  /** Where and when one looks: kept, while all other filters give way. */
  readonly place: Pick<AuditFilter, 'org' | 'from' | 'to'>;
  /** At its permanent address. */
  readonly isAlone?: boolean;
}

/** What leads on from an entry: other acts of its actor, other entries about its thing. */
function EntryActs({ entry, place, isAlone = false }: EntryActsProps) {
  const words = useTranslations('audit');
  const { id, sequence, actor, resource } = entry;
  return (
    <Group gap="sm" role="group" aria-label={words('acts', { sequence })}>
      <CopyJson entry={entry} />
      {actor.id && (
        <Link to="/audit" search={{ ...place, actor: actor.id }}>
          {words('sameActor')}
        </Link>
      )}
      {resource.id && (
        <Link to="/audit" search={{ ...place, resource: resource.id }}>
          {words('sameThing')}
        </Link>
      )}
      {!isAlone && (
        <Link to="/audit/$entryId" params={{ entryId: id }}>
          {words('permanent')}
        </Link>
      )}
    </Group>
  );
}

/** The chain of an entry by its partner, or that of the system. */
function Chain({ id }: { readonly id: string }) {
  const words = useTranslations('audit');
  const { scope, partnerId, membership } = useMe();
  const enabled = scope === 'system' && id !== 'system';
  const partner = useQuery(getQuery('system', '/orgs/partners/{id}', { path: { id }, enabled })).data;
  if (id === 'system') return words('systemChain');
  const own = id === partnerId ? membership.partnerName : undefined;
  return own ?? partner?.name ?? id;
}

/** Everything that one entry holds. */
export function EntryFacts(props: EntryActsProps) {
  const words = useTranslations('audit');
  const { entry } = props;
  const { actor, resource } = entry;
  const factWords = useTranslations('audit.facts');
  const facts = [
    { name: factWords('action'), value: entry.action },
    { name: factWords('actor'), value: `${words(`actors.${actor.type}`)} ${actor.name ?? actor.id ?? ''}` },
    { name: factWords('label'), value: actor.label && <SafeText value={actor.label} /> },
    {
      name: factWords('resource'),
      value: <SafeText value={`${resource.type} ${resource.name ?? resource.id ?? ''}`} />,
    },
    { name: factWords('ip'), value: entry.ip },
    { name: factWords('userAgent'), value: entry.userAgent && <SafeText value={entry.userAgent} most={80} /> },
    { name: factWords('requestId'), value: entry.requestId && <CopyText text={entry.requestId} /> },
    { name: factWords('clientRequestId'), value: entry.clientRequestId && <CopyText text={entry.clientRequestId} /> },
    { name: factWords('chain'), value: <Chain id={entry.chain} /> },
    { name: factWords('sequence'), value: `#${entry.sequence}` },
    { name: factWords('hash'), value: <Hash value={entry.hash} /> },
    { name: factWords('previousHash'), value: <Hash value={entry.previousHash} /> },
  ];
  return (
    <Stack gap="xs" py="xs">
      <Facts facts={facts} />
      <ChangedFields changes={entry.details['changes']} />
      {Object.keys(entry.details).length > 0 && (
        <Code block tabIndex={0} role="region" aria-label={words('details', { sequence: entry.sequence })}>
          {JSON.stringify(entry.details, null, 2)}
        </Code>
      )}
      <EntryActs {...props} />
    </Stack>
  );
}
