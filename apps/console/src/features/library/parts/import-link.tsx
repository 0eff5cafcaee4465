import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Operation } from '../../../api/generated/access.ts';
import { useCan } from '../../../api/me.ts';
import { useOrg } from '../../../ui/use-org.tsx';

interface ImportLinkProps {
  readonly to: '/library/scripts/import' | '/library/custom-fields/import' | '/library/custom-fields/values';
  readonly label: string;
  readonly needs: Operation;
}

/** The way to an import, which keeps the chosen organisation. */
export function ImportLink({ to, label, needs }: ImportLinkProps) {
  const org = useOrg();
  if (!useCan()(needs)) return null;
  return (
    <Button component={Link} variant="default" to={to} search={(org ? { org } : {}) as never}>
      {label}
    </Button>
  );
}
