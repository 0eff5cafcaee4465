import { Kbd, Table } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../ui/forms/dialogs.tsx';
import { SHORTCUTS } from './shortcuts.ts';

/** All shortcuts, with what each does. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const words = useTranslations('shell.shortcuts');
  return (
    <Dialog title={words('title')} opened onClose={onClose}>
      <Table>
        <Table.Tbody>
          {SHORTCUTS.map(({ keys, name }) => (
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
