/** The names that clients and nodes agree on. Nonces are `<client>#<number>`. */

export const serverName = "chaos";
export const prefix = "chaos:";
export const issuer = "https://chaos.example";
export const principals = ["ada", "bob"] as const;
/** The header with the principal. */
export const principalHeader = "x-user";

/** How long nodes keep the messages of a stream: longer than they need to find out that one of them has died. */
export const streamTtlMs = 40_000;

/** The resources that a client subscribes to. */
export const ownUris = 4;
export const ownUri = (client: string, at: number): string => `chaos://own/${client}/${at % ownUris}`;

export const clientOf = (nonce: string): string => nonce.slice(0, nonce.lastIndexOf("#"));

/** The result of a call, as JSON text. */
export interface Answer {
  readonly nonce: string;
  /** The subject of the principal that the node has authenticated. */
  readonly principal: string | undefined;
  /** The number of calls of `count` in the session. */
  readonly count?: number;
  /** The word that the client has answered a question with. */
  readonly word?: string;
}

/** A numbered log message: of a call, or, without a step, one that belongs to no request. */
export interface Logged {
  readonly nonce: string;
  readonly principal: string | undefined;
  readonly step?: number;
}

/** The answer of a client to a question about a call. */
export const wordOf = (client: string, nonce: string): string => `${client} knows ${nonce}`;
