/** The tokens of a session. */
export interface Tokens {
  /** Lives for 15 minutes. */
  readonly accessToken: string;
  /** Renews the session once. Absent where a browser keeps it in a cookie. */
  readonly refreshToken?: string;
}

/** Where a client keeps the tokens of its session. */
export interface TokenStore {
  read(): Tokens | null | Promise<Tokens | null>;
  /** @param tokens null ends the session */
  write(tokens: Tokens | null): void | Promise<void>;
}

/** Keeps tokens as long as the program runs. */
export function memoryTokens(tokens: Tokens | null = null): TokenStore {
  let kept = tokens;
  return {
    read: () => kept,
    write: (next) => {
      kept = next;
    },
  };
}
