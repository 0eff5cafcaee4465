import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { getQuery } from '../../api/client.ts';
import type { AUDIT_ACTIONS } from '../../api/generated/actions.ts';
import { useCan } from '../../api/me.ts';
import { codeOf, problemOf } from '../../api/problem.ts';
import { Overlay } from '../forms/unsaved.ts';
import { QueryView } from '../state-views.tsx';
import { plainName, SafeText } from '../text/safe-text.tsx';
import { Instant } from '../text/time.tsx';
import { lastSaveOf, type Versioned } from './last-save.ts';
import { type Members, type Merge, mergeOf } from './merge.ts';

export type Choice = 'theirs' | 'mine' | 'edit';

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

interface VersionConflictProps<Stored> {
  /** The record's name when the change began. */
  readonly about: string;
  /** What the log calls a save of the record. */
  readonly audited: AuditAction;
  /** Why the change was refused; the dialog is open while this is `version_conflict`. */
  readonly error: unknown;
  /** Reads the record as it is stored now. */
  readonly read: () => Promise<Stored>;
  readonly membersOf: (stored: Stored) => Members;
  /** The members that the change began with, and those that it ended with. */
  readonly base: Members;
  readonly own: Members;
  readonly nameOf: (member: string) => string;
  readonly show: (member: string, value: unknown) => ReactNode;
  /**
   * `theirs`: what is stored stands. `mine`: `merged` is to be saved over `stored`. `edit`: `merged` is to be edited
   * further.
   */
  readonly onChoose: (choice: Choice, stored: Stored, merged: Members) => void;
  readonly onClose: () => void;
}

interface ComparisonProps extends Pick<VersionConflictProps<unknown>, 'about' | 'nameOf' | 'show' | 'own'> {
  readonly stored: Members;
  readonly merge: Merge;
}

function Comparison({ about, nameOf, show, own, stored, merge: { mine, theirs } }: ComparisonProps) {
  const words = useTranslations('ui.conflict');
  return (
    <div className="gh-table" role="region" aria-label={words('title', { name: plainName(about) })} tabIndex={0}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words('member')}</Table.Th>
            <Table.Th scope="col">{words('own')}</Table.Th>
            <Table.Th scope="col">{words('stored')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...mine, ...theirs].map((member) => (
            <Table.Tr key={member} data-member={member}>
              <Table.Td>{nameOf(member)}</Table.Td>
              <Table.Td data-label={words('own')}>
                {mine.includes(member) ? show(member, own[member]) : words('untouched')}
              </Table.Td>
              <Table.Td data-label={words('stored')}>{show(member, stored[member])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

type ContentProps<Stored> = VersionConflictProps<Stored> & { readonly stored: Stored };

const READ_AGAIN_MS = 1000;
const MAX_READS = 6;

/** The newest entry about a save of the record, once it is about the stored version. */
function useLastSave(stored: Versioned, audited: AuditAction) {
  const resourceId = stored.id ?? stored.orgId ?? undefined;
  const { data: newest } = useQuery({
    ...getQuery('audit', '/audit-logs', {
      query: { action: [audited], ...(resourceId && { resourceId }), result: 'success', limit: 1 },
      select: ({ data }) => data[0],
      refetchInterval: ({ state: { status, dataUpdateCount, data } }) =>
        status === 'error' || dataUpdateCount >= MAX_READS || lastSaveOf(stored, data?.data[0])?.name
          ? false
          : READ_AGAIN_MS,
    }),
    enabled: useCan()('GET /audit-logs'),
    staleTime: 0,
    gcTime: 0,
  });
  return lastSaveOf(stored, newest);
}

/** Who saved the record, as far as the reader may know, and when. */
function SavedLine({ stored, audited }: { readonly stored: Versioned; readonly audited: AuditAction }) {
  const words = useTranslations('ui.conflict');
  const save = useLastSave(stored, audited);
  if (save === null) return null;
  const when = () => <Instant at={save.at} />;
  const who = () => <SafeText value={save.name ?? ''} />;
  return <Text size="sm">{words.rich(save.name === null ? 'saved' : 'savedBy', { who, when })}</Text>;
}

function Content<Stored extends Versioned | null>({ stored, ...props }: ContentProps<Stored>) {
  const { membersOf, base, own, onChoose, audited } = props;
  const words = useTranslations('ui.conflict');
  const members = membersOf(stored);
  const merge = mergeOf({ base, own, stored: members });
  const choose = (choice: Choice) => () => onChoose(choice, stored, merge.merged);
  return (
    <Stack>
      {stored && <SavedLine {...{ stored, audited }} />}
      <Text size="sm">{words('text')}</Text>
      <Comparison {...props} stored={members} merge={merge} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={choose('theirs')}>
          {words('theirs')}
        </Button>
        <Button variant="default" onClick={choose('edit')}>
          {words('edit')}
        </Button>
        <Button onClick={choose('mine')}>{words('mine')}</Button>
      </Group>
    </Stack>
  );
}

/**
 * Shows the stored values beside one's own after another person has saved the record. Both stay until the user chooses.
 */
export function VersionConflict<Stored extends Versioned | null>(props: VersionConflictProps<Stored>) {
  const { about, error, read, onClose } = props;
  const words = useTranslations('ui');
  const opened = error !== null && codeOf(error) === 'version_conflict';
  const query = useQuery({
    queryKey: ['version-conflict', problemOf(error)?.requestId],
    queryFn: read,
    enabled: opened,
    gcTime: 0,
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      centered
      title={words('conflict.title', { name: plainName(about) })}
      closeButtonProps={{ 'aria-label': words('close') }}
    >
      <Overlay onClose={onClose} />
      <QueryView query={query}>{(stored) => <Content {...props} stored={stored} />}</QueryView>
    </Modal>
  );
}
