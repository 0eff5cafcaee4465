import { ok } from '@gatehouse/client';
import { api } from './client.ts';
import { keepToken } from './session.ts';

export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';

type RequestOptions = Parameters<typeof PublicKeyCredential.parseRequestOptionsFromJSON>[0];

/** Fetches the options beforehand, so that the tap itself can begin the ceremony, as iOS demands. */
export async function passkeyOptions(): Promise<PublicKeyCredentialRequestOptions> {
  const options = await ok(api.POST('/auth/mfa/webauthn/step-up/options'));
  return PublicKeyCredential.parseRequestOptionsFromJSON(options as object as RequestOptions);
}

/** Proves a passkey and keeps the renewed session. */
export async function provePasskey(publicKey: PublicKeyCredentialRequestOptions): Promise<void> {
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const response = { ...credential.toJSON() };
  const { accessToken } = await ok(api.POST('/auth/mfa/webauthn/step-up/verify', { body: { response } }));
  keepToken(accessToken);
}

type CreationOptions = Parameters<typeof PublicKeyCredential.parseCreationOptionsFromJSON>[0];

/** Has the browser make a passkey. @returns recovery codes with the first factor of an account, else null */
export async function registerPasskey(name: string): Promise<readonly string[] | null> {
  const options = await ok(api.POST('/auth/mfa/webauthn/register/options'));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as object as CreationOptions);
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const body = { response: { ...credential.toJSON() }, name };
  const { accessToken, recoveryCodes } = await ok(api.POST('/auth/mfa/webauthn/register/verify', { body }));
  keepToken(accessToken);
  return recoveryCodes;
}
