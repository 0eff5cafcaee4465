/** Passkeys in the browser (WebAuthn 3): JSON options in, JSON answers out. */
import { call, IN_COOKIE } from './session.js';

export const hasPasskeys = () => typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';

/** Proves a passkey. @param mfaToken while signing in; absent to step up */
export async function assertPasskey(mfaToken) {
  const purpose = mfaToken ? 'sign-in' : 'step-up';
  const context = mfaToken ? { mfaToken } : {};
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    await call('POST', `/auth/mfa/webauthn/${purpose}/options`, context),
  );
  const credential = await navigator.credentials.get({ publicKey });
  const answer = { ...context, response: credential.toJSON(), ...(mfaToken && IN_COOKIE) };
  return call('POST', `/auth/mfa/webauthn/${purpose}/verify`, answer);
}

/** Adds a passkey to the signed-in account. */
export async function registerPasskey(name) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    await call('POST', '/auth/mfa/webauthn/register/options', {}),
  );
  const credential = await navigator.credentials.create({ publicKey });
  return call('POST', '/auth/mfa/webauthn/register/verify', { name, response: credential.toJSON() });
}
