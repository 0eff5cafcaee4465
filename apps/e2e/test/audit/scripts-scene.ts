import { idOf } from './recorder.ts';
import { type Stage, unique } from './stage.ts';

interface Made {
  readonly id: string;
}

export async function scripts({ log, boss, tenant }: Stage): Promise<void> {
  const script = { name: unique('script'), content: 'Get-Date', availability: 'organization', orgId: tenant.orgId };
  const { data } = await log.call<{ data: Made }>('POST /scripts', {
    as: boss,
    body: script,
    told: [{ action: 'script.create', resource: 'script', id: idOf }],
  });
  await log.call('PATCH /scripts/{id}', {
    as: boss,
    params: { id: data.id },
    body: { description: 'walked' },
    told: [{ action: 'script.update', resource: 'script' }],
  });
  await log.call('DELETE /scripts/{id}', {
    as: boss,
    params: { id: data.id },
    told: [{ action: 'script.delete', resource: 'script' }],
  });
  await log.call('POST /scripts/import', {
    as: boss,
    body: { scripts: [{ ...script, name: unique('imported') }] },
    told: [{ action: 'script.import', resource: 'script', id: null }],
  });
}
