import { Button, Menu, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { changePreferences, type QueueView, usePreferences } from '../../../shell/preferences.ts';
import { parseSearch, stringifySearch } from '../../../shell/search.ts';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { Overlay } from '../../../ui/forms/unsaved.ts';

const route = getRouteApi('/approvals');
const MAX_NAME = 60;

/** The views that the signed-in person keeps in this browser, and the one that is on screen. */
function useViews() {
  const { queueViews } = usePreferences();
  const { user } = useMe();
  const { page: _, ...filters } = route.useSearch();
  const search = stringifySearch(filters);
  const own = queueViews.filter(({ owner }) => owner === user.id);
  const current = own.find((view) => view.search === search);
  const keep = (views: readonly QueueView[]) => changePreferences({ queueViews: views });
  const isOther = (name: string) => (view: QueueView) => view.owner !== user.id || view.name !== name;
  return {
    own,
    current,
    save: (name: string) => keep([...queueViews.filter(isOther(name)), { owner: user.id, name, search }]),
    remove: (name: string) => keep(queueViews.filter(isOther(name))),
  };
}

interface SaveDialogProps {
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

function SaveDialog({ onSave, onClose }: SaveDialogProps) {
  const words = useTranslations('approvals.views');
  const [name, setName] = useState('');
  const save = () => {
    onSave(name.trim());
    onClose();
  };
  return (
    <Dialog title={words('saveTitle')} opened onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Stack>
          <TextInput
            label={words('name')}
            description={words('kept')}
            maxLength={MAX_NAME}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <FormActions label={words('save')} saving={false} disabled={name.trim() === ''} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** Named filters of the queue. */
export function Views() {
  const words = useTranslations('approvals.views');
  const navigate = route.useNavigate();
  const [saving, dialog] = useDisclosure(false);
  const { own, current, save, remove } = useViews();
  const open = ({ search }: QueueView) => void navigate({ search: parseSearch(search) as never });
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant={current ? 'light' : 'default'}>{current?.name ?? words('title')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Overlay />
          {own.map((view) => (
            <Menu.Item key={view.name} onClick={() => open(view)}>
              {view.name}
            </Menu.Item>
          ))}
          {own.length === 0 && (
            <Text size="sm" c="dimmed" px="sm" py={4}>
              {words('none')}
            </Text>
          )}
          <Menu.Divider />
          <Menu.Item onClick={dialog.open}>{words('saveThis')}</Menu.Item>
          {current && (
            <Menu.Item onClick={() => remove(current.name)}>{words('remove', { name: current.name })}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {saving && <SaveDialog onSave={save} onClose={dialog.close} />}
    </>
  );
}
