// The package ships no types; these cover what the local provider uses.
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export interface Grant {
    readonly jti: string;
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface Account {
    accountId: string;
    claims(): object;
  }

  export interface OidcContext {
    readonly client: { clientId: string };
    readonly params: Record<string, string | undefined>;
    readonly account?: Account;
    readonly requestParamScopes: ReadonlySet<string>;
    readonly session: {
      accountId?: string;
      loginAccount(login: { accountId: string; amr?: string[] }): void;
      ensureClientContainer(clientId: string): void;
      grantIdFor(clientId: string, grantId: string): void;
    };
    entity(kind: 'Account', value: Account): void;
    entity(kind: 'Grant', value: Grant): void;
  }

  export interface RequestContext {
    readonly oidc: OidcContext;
  }

  export interface Interaction {
    readonly uid: string;
    readonly params: Record<string, string | undefined>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (grant: { accountId: string; clientId: string }) => Grant;
    readonly Client: { prototype: { redirectUriAllowed(uri: string): boolean } };
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string; amr?: string[] } },
    ): Promise<void>;
  }

  export interface PolicyParts {
    base(): { add(prompt: object, index: number): void };
    Check: new (
      reason: string,
      description: string,
      check: (context: RequestContext) => boolean | Promise<boolean>,
    ) => object;
    Prompt: new (about: { name: string; requestable: boolean }, check: object) => object;
  }

  export const interactionPolicy: PolicyParts;
}
