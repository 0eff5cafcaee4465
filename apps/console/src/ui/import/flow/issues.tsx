import { List, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { problemOf } from '../../../api/problem.ts';
import { Refusal } from '../../forms/refusal.tsx';

const PATH = /^\w+\.(\d+)\.?(.*)$/;
const MAX_ISSUES = 10;

interface IssuesProps {
  readonly error: unknown;
  /** How many rows were sent before the batch that was refused. */
  readonly first: number;
}

/** Why the server refused a whole batch: the rows and members that are wrong. */
export function Issues({ error, first }: IssuesProps) {
  const words = useTranslations('import');
  const issues = (problemOf(error)?.issues ?? []).slice(0, MAX_ISSUES).map(({ path, message }) => {
    const [, index, member] = PATH.exec(path) ?? [];
    return index === undefined
      ? message
      : words('issue', { row: first + Number(index) + 2, member: member ?? '', message });
  });
  return (
    <Stack gap="xs">
      <Refusal error={error} />
      {issues.length > 0 && (
        <List size="sm">
          {issues.map((issue) => (
            <List.Item key={issue}>{issue}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
