import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { FieldForm } from '../fields/field-form.tsx';
import { ShownValue } from '../parts/device-table.tsx';
import { type Device, fieldDefinitionsQuery, type FieldValue, fieldValuesQuery, useDevice } from '../queries.ts';
import '../words.ts';

interface ValuesProps {
  readonly device: Device;
  readonly values: readonly FieldValue[];
}

function Form({ device: { id, orgId }, values }: ValuesProps) {
  const definitions = useQuery(fieldDefinitionsQuery(orgId)).data ?? [];
  const optionsOf = (fieldId: string) => definitions.find((field) => field.id === fieldId)?.options ?? [];
  return <FieldForm key={id} deviceId={id} values={values} optionsOf={optionsOf} />;
}

function Values({ device, values }: ValuesProps) {
  const mayChange = useCan()('PATCH /devices/{id}/custom-fields') && device.status !== 'decommissioned';
  if (mayChange) return <Form device={device} values={values} />;
  return (
    <div className="gh-card">
      <Facts facts={values.map((field) => ({ name: field.name, value: <ShownValue field={field} /> }))} />
    </div>
  );
}

/** The values of a device's custom fields. */
export function DeviceFields() {
  const words = useTranslations('devices');
  const device = useDevice();
  return (
    <QueryView query={useQuery(fieldValuesQuery(device.id))}>
      {(values) =>
        values.length === 0 ? (
          <EmptyView
            title={words('noFields')}
            text={words('noFieldsText')}
            action={
              <Link to="/library/custom-fields" search={{ org: device.orgId }}>
                {words('toFields')}
              </Link>
            }
          />
        ) : (
          <Values device={device} values={values} />
        )
      }
    </QueryView>
  );
}
