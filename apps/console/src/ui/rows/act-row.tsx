import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface ActRowProps {
  readonly children: ReactNode;
  /** What can be done with the thing; it stands below where the text would be too narrow beside it. */
  readonly act: ReactNode;
}

/** A thing in words, with its act at the end of the line. */
export function ActRow({ children, act }: ActRowProps) {
  return (
    <Group justify="space-between">
      <Stack gap={2} flex="1 1 9rem" miw={0}>
        {children}
      </Stack>
      {act}
    </Group>
  );
}
