import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Organization } from '../queries.ts';

const COLORS: Readonly<Partial<Record<Organization['status'], string>>> = {
  active: 'green',
  trial: 'blue',
  archived: 'gray',
  merging: 'orange',
  purging: 'red',
};

export function OrganizationStatus({ status }: Pick<Organization, 'status'>) {
  const words = useTranslations('organizations.statuses');
  return (
    <Badge size="sm" variant="light" tt="none" color={COLORS[status] ?? 'yellow'} className="gh-status">
      {words(status)}
    </Badge>
  );
}
