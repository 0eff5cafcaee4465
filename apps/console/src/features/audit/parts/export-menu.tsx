import { Button, Menu, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Overlay } from '../../../ui/forms/unsaved.ts';
import { notifyRefused } from '../../../ui/notify.ts';
import type { AuditFilter } from '../model.ts';
import { exportAddress, type ExportFormat } from '../queries.ts';

interface ExportMenuProps {
  readonly filter: AuditFilter;
  readonly chain: string | undefined;
}

/** Exports what the filters show; who may not is told which right is missing. */
export function ExportMenu({ filter, chain }: ExportMenuProps) {
  const words = useTranslations('audit');
  const download = useMutation({
    mutationFn: (format: ExportFormat) => exportAddress(filter, chain, format),
    onSuccess: (url) => location.assign(url),
    onError: notifyRefused,
  });
  if (!useCan()('POST /audit-logs/exports')) return <Text className="gh-hint">{words('mayNotExport')}</Text>;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={download.isPending}>
          {words('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Overlay />
        {(['jsonl', 'csv'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => download.mutate(format)}>
            {words(format)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
