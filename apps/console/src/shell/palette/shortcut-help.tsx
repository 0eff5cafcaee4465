import { Kbd, Table } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../api/generated/access.ts';
import { useCan } from '../../api/me.ts';
import { Dialog } from '../../ui/forms/dialogs.tsx';
import { SHORTCUTS } from './shortcuts.ts';

/** The right without which a shortcut does nothing. */
const NEEDS: Partial<Record<(typeof SHORTCUTS)[number]['name'], Operation>> = {
  rules: 'GET /pam/rules',
  audit: 'GET /audit-logs',
  approve: 'POST /pam/elevation-requests/{id}/respond',
  deny: 'POST /pam/elevation-requests/{id}/respond',
  rule: 'POST /pam/rules',
};

/** The shortcuts of a person, with what each does. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const words = useTranslations('shell.shortcuts');
  const can = useCan();
  const shown = SHORTCUTS.filter(({ name }) => can(NEEDS[name] ?? 'GET /auth/me'));
  return (
    <Dialog title={words('title')} opened onClose={onClose}>
      <Table>
        <Table.Tbody>
          {shown.map(({ keys, name }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                {words(name)}
              </Table.Th>
              <Table.Td>
                {keys.map((key) => (
                  <Kbd key={key} me={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
