import type { AuditAction, AuditRecord } from '@gatehouse/contracts-core';
import type { Platform } from '@gatehouse/service';

type SignIn = { readonly method: string; readonly result: 'success' | 'failure' };

const opened = ({ via }: AuditRecord['details']): SignIn => ({ method: String(via), result: 'success' });
const failed = ({ reason }: AuditRecord['details']): SignIn => ({
  method: reason === 'wrong_second_factor' ? 'second_factor' : 'password',
  result: 'failure',
});

const SIGN_INS: Partial<Record<AuditAction, (details: AuditRecord['details']) => SignIn>> = {
  'user.login': opened,
  'user.break_glass.login': () => ({ method: 'break_glass', result: 'success' }),
  'user.login_failed': failed,
  'sso.login.success': () => ({ method: 'sso', result: 'success' }),
  'sso.login.rejected': () => ({ method: 'sso', result: 'failure' }),
};

/** Counts sign-ins when they are committed, with the method and result from their audit entries. */
export function measureSignIns({ metrics, store }: Platform): void {
  const signIns = metrics.counter('gatehouse_sign_ins_total', 'Sign-ins by method and result', ['method', 'result']);
  store?.work.onCommit((facts) => {
    for (const { subject, envelope } of facts) {
      if (!subject.startsWith('audit.')) continue;
      const { action, details } = envelope.data as AuditRecord;
      const signIn = SIGN_INS[action]?.(details);
      if (signIn) signIns.inc({ ...signIn });
    }
  });
}
