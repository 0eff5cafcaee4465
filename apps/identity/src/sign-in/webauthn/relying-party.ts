import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/** A registered passkey. */
export interface Passkey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  /** Unvalidated: earlier releases stored what the browser sent without checking it. */
  readonly transports: readonly unknown[] | null;
}

interface Person {
  readonly userId: string;
  readonly name: string;
}

/** WebAuthn 3, "Credential ID". */
const ID_MAX_BYTES = 1023;
const TRANSPORTS_MAX = 16;
const TRANSPORT_MAX_CHARACTERS = 32;

type Options = Record<string, unknown>;
const NAME = 'Gatehouse';

const isTransport = (value: unknown): boolean => typeof value === 'string' && value.length <= TRANSPORT_MAX_CHARACTERS;

/**
 * Transport hints for the browser. Nothing attests them and the library passes them on unchecked, so invalid ones are
 * dropped.
 */
const transportsIn = (value: unknown): string[] =>
  Array.isArray(value) && value.length <= TRANSPORTS_MAX && value.every(isTransport) ? (value as string[]) : [];

function describe({ credentialId, transports }: Passkey): { id: string; transports?: string[] } {
  const hints = transportsIn(transports);
  return { id: credentialId, ...(hints.length > 0 && { transports: hints }) };
}

/** No page of ours is framed by another site (WebAuthn 3, 7.1 and 7.2, crossOrigin). */
const isFramed = (clientDataJSON: string): boolean =>
  (JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { crossOrigin?: unknown }).crossOrigin === true;

/** Adapter to the WebAuthn library: this deployment is the relying party, under the host of its public address. */
@Injectable()
export class RelyingParty {
  private readonly origin: string;
  private readonly id: string;

  constructor(@Inject(BASE_URL) baseUrl: string) {
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.id = url.hostname;
  }

  async registrationOptions(
    { userId, name }: Person,
    known: readonly Passkey[],
  ): Promise<Options & { challenge: string }> {
    const options = await generateRegistrationOptions({
      rpName: NAME,
      rpID: this.id,
      userName: name,
      userID: new TextEncoder().encode(userId),
      excludeCredentials: known.map(describe),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    return { ...options };
  }

  /** @returns the new passkey, or null when the response does not prove one */
  async registered(response: Record<string, unknown>, challenge: string): Promise<Passkey | null> {
    try {
      const answer = response as object as RegistrationResponseJSON;
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: answer,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.id,
        requireUserVerification: false,
      });
      if (!verified || isFramed(answer.response.clientDataJSON)) return null;
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      if (Buffer.byteLength(id, 'base64url') > ID_MAX_BYTES) return null;
      return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports: transportsIn(transports) };
    } catch {
      return null;
    }
  }

  async assertionOptions(known: readonly Passkey[]): Promise<Options & { challenge: string }> {
    return {
      ...(await generateAuthenticationOptions({
        rpID: this.id,
        allowCredentials: known.map(describe),
        userVerification: 'preferred',
      })),
    };
  }

  /** @returns the authenticator's new signature counter, or null when the response does not prove possession */
  async asserted(
    response: Record<string, unknown>,
    challenge: string,
    { credentialId, publicKey, counter }: Passkey,
  ): Promise<number | null> {
    try {
      const answer = response as object as AuthenticationResponseJSON;
      const credential = { id: credentialId, publicKey: new Uint8Array(publicKey), counter };
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: challenge,
        expectedOrigin: this.origin,
        expectedRPID: this.id,
        credential,
        requireUserVerification: false,
      });
      return verified && !isFramed(answer.response.clientDataJSON) ? authenticationInfo.newCounter : null;
    } catch {
      return null;
    }
  }
}
