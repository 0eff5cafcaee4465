/** Passkeys in the browser (WebAuthn 3): JSON options in, JSON answers out. */
import { call } from './session.js';

export const hasPasskeys = () => typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';

/** Proves a passkey. @param context `{ mfaToken }` while signing in, `{}` to step up */
export async function assertPasskey(context) {
  const { options, challengeId } = await call('POST', '/auth/mfa/webauthn/assertion/options', context);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey });
  return call('POST', '/auth/mfa/webauthn/assertion/verify', { ...context, challengeId, response: credential.toJSON() });
}

/** Adds a passkey to the signed-in account. */
export async function registerPasskey(name) {
  const { options, challengeId } = await call('POST', '/auth/mfa/webauthn/registration/options', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  return call('POST', '/auth/mfa/webauthn/registration/verify', { challengeId, name, response: credential.toJSON() });
}
