import { Checkbox, Group, Input, Text } from '@mantine/core';
import { IconCheck, IconMinus } from '../../../ui/icons.tsx';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { type Area, AREAS, COLUMNS, holds, type Right, rightAt } from '../access/rights.ts';
import type { Permission } from '../queries.ts';

interface MatrixProps {
  readonly value: readonly Permission[];
  readonly readOnly?: boolean;
  readonly error?: string | undefined;
  readonly onChange?: (value: readonly Permission[]) => void;
}

/** A right in words. It can be given by those who hold it; for others the box says why it is closed. */
function RightBox({ right, value, onChange }: Omit<MatrixProps, 'readOnly'> & { readonly right: Right | '*' }) {
  const words = useTranslations('people');
  const { permissions } = useMe();
  const isCovered = right !== '*' && value.includes('*');
  const isMissing = !holds(permissions, right);
  const toggle = (checked: boolean) =>
    onChange?.(checked ? [...value, right] : value.filter((permission) => permission !== right));
  return (
    <Checkbox
      label={words(`rights.${right}`)}
      description={isMissing ? words('lack') : undefined}
      checked={isCovered || value.includes(right)}
      disabled={isMissing || isCovered}
      onChange={({ currentTarget }) => toggle(currentTarget.checked)}
    />
  );
}

/** A right that is only shown: held or not. */
function RightMark({ right, value }: Pick<MatrixProps, 'value'> & { readonly right: Right | '*' }) {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  const isHeld = holds(value, right);
  const Icon = isHeld ? IconCheck : IconMinus;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Icon size={18} role="img" aria-label={uiWords(isHeld ? 'yes' : 'no')} className="gh-mark" />
      <Text size="sm" {...(!isHeld && { c: 'dimmed' })}>
        {words(`rights.${right}`)}
      </Text>
    </Group>
  );
}

function Row({ area, readOnly = false, ...props }: MatrixProps & { readonly area: Area }) {
  const words = useTranslations('people');
  return (
    <div className="gh-matrix-row" role="group" aria-label={words(`areas.${area}`)}>
      <Text size="sm" fw={600}>
        {words(`areas.${area}`)}
      </Text>
      {COLUMNS.map((column) => {
        const right = rightAt(area, column);
        if (!right) return <span key={column} />;
        const One = readOnly ? RightMark : RightBox;
        return <One key={column} right={right} {...props} />;
      })}
    </div>
  );
}

/** Areas as rows; seeing, changing and what goes further as columns. */
export function PermissionMatrix(props: MatrixProps) {
  const words = useTranslations('people');
  return (
    <div className="gh-matrix" role="group" aria-label={words('permissions')}>
      {props.readOnly ? <RightMark right="*" value={props.value} /> : <RightBox right="*" {...props} />}
      <div className="gh-matrix-row gh-matrix-head" aria-hidden>
        <span />
        {COLUMNS.map((column) => (
          <Text key={column} size="sm" c="dimmed">
            {words(`columns.${column}`)}
          </Text>
        ))}
      </div>
      {AREAS.map((area) => (
        <Row key={area} area={area} {...props} />
      ))}
      {props.error && <Input.Error role="alert">{props.error}</Input.Error>}
    </div>
  );
}
