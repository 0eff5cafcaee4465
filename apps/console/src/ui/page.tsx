import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { documentTitle, useOrgName } from './use-org.tsx';

interface PageProps {
  /** The thing that the page shows; also the document's title. */
  readonly title: string;
  /** Beside the title: a count, a status. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: its heading takes the focus when one arrives, so that a screen reader says where one is. */
export function Page({ title, aside, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const organization = useOrgName();
  useEffect(() => {
    document.title = documentTitle(title, organization);
  }, [title, organization]);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center" gap="sm">
        <Group gap="sm">
          <Title order={1} ref={heading} tabIndex={-1} className="gh-heading">
            {title}
          </Title>
          {aside}
        </Group>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
