import { ClientSecretPost, modifyAssertion, None, PrivateKeyJwt } from "oauth4webapi";
import type { ClientAuth } from "oauth4webapi";
import { SdkError } from "../../jsonrpc/errors.js";
import { AuthorizationError } from "../auth-errors.js";
import type { DiscoveredServer } from "../discovery/discovered-server.js";
import { SigningKey } from "./signing-key.js";
import type { PrivateKey } from "./signing-key.js";

/** A value, or a function that returns it each time it is needed, for example from a vault. */
export type Provided<Value> = Value | (() => Value | Promise<Value>);

/** How a client authenticates at the token endpoint (RFC 6749, section 2.3; OpenID Connect Core 1.0, section 9). */
export type TokenEndpointAuthMethod = "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";

/** What a client has to authenticate itself with. Without all of them it is a public client. */
export interface ClientAuthenticationOptions {
  readonly clientSecret?: Provided<string>;
  /** Signs the assertions of `private_key_jwt`. Kept in memory when it is a value. */
  readonly privateKey?: Provided<PrivateKey>;
  /**
   * The JWS algorithm of assertions, such as `ES256`. Default: that of the key, else the first one that fits the key and that the
   * authorization server lists.
   */
  readonly algorithm?: string;
  /** The `kid` of assertions. Default: that of a JWK. */
  readonly keyId?: string;
  /** Seconds that an assertion is valid. Default: 60. */
  readonly jwtLifetimeSeconds?: number;
  /** More claims for assertions; they replace those that this client sets. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** An assertion for `private_key_jwt` that was signed elsewhere; instead of `privateKey`. */
  readonly jwtBearerAssertion?: Provided<string>;
  /**
   * The method to use. Default: the first one of `private_key_jwt`, `client_secret_basic` and `client_secret_post` that this client
   * can use and the authorization server lists; `none` for a public client.
   */
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod;
}

/** Authenticates one client at token endpoints. Keep the object: it keeps the imported key. */
export class ClientAuthentication {
  readonly #options: ClientAuthenticationOptions;
  readonly #key: SigningKey | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` when an option is invalid */
  constructor(options: ClientAuthenticationOptions) {
    const { privateKey, algorithm, keyId, jwtBearerAssertion, clientSecret } = options;
    this.#options = options;
    if (clientSecret !== undefined && typeof clientSecret !== "function") assertText(clientSecret, "clientSecret");
    if (jwtBearerAssertion !== undefined && typeof jwtBearerAssertion !== "function")
      assertText(jwtBearerAssertion, "jwtBearerAssertion");
    if (privateKey !== undefined && jwtBearerAssertion !== undefined)
      throw new SdkError("INVALID_CONFIGURATION", "pass either privateKey or jwtBearerAssertion");
    this.#key = privateKey === undefined ? undefined : new SigningKey(privateKey, algorithm, keyId);
  }

  /**
   * Chooses the method for an authorization server, from what this client has and what the server lists in
   * `token_endpoint_auth_methods_supported` (RFC 8414, section 2). A server that does not list `none` may accept it nevertheless:
   * a public client has no other.
   * @param assigned the `token_endpoint_auth_method` of a registration, which precedes the list
   * @throws AuthorizationError `no-client` when no method fits
   */
  choose(server: Pick<DiscoveredServer, "issuer" | "metadata">, assigned?: string): ClientAuth {
    const { issuer, metadata } = server;
    const usable = this.#methods();
    const method = assigned ?? this.#options.tokenEndpointAuthMethod;
    if (method !== undefined) {
      const authentication = this.#authentication(method, server);
      if (authentication && (method === "none" || usable.includes(method))) return authentication;
      throw noMethod(`${issuer} expects the method ${method}`, usable, issuer);
    }
    const listed = stringList(metadata.token_endpoint_auth_methods_supported);
    // Without a list, the first method is tried: nothing says that the server rejects it.
    const chosen = listed ? usable.find((name) => name === "none" || listed.includes(name)) : withoutList(usable);
    const authentication = chosen === undefined ? undefined : this.#authentication(chosen, server);
    if (authentication) return authentication;
    throw noMethod(`${issuer} lists only ${listed?.join(", ") ?? "nothing"}`, usable, issuer);
  }

  /** The methods for which this client has what they need, the strongest first. */
  #methods(): readonly string[] {
    const { clientSecret, jwtBearerAssertion } = this.#options;
    const methods = [
      ...(this.#key !== undefined || jwtBearerAssertion !== undefined ? ["private_key_jwt"] : []),
      ...(clientSecret === undefined ? [] : ["client_secret_basic", "client_secret_post"]),
    ];
    return methods.length === 0 ? ["none"] : methods;
  }

  #authentication(method: string, server: Pick<DiscoveredServer, "issuer" | "metadata">): ClientAuth | undefined {
    switch (method) {
      case "client_secret_basic":
        return this.#withSecret(basicAuthentication);
      case "client_secret_post":
        return this.#withSecret(ClientSecretPost);
      case "private_key_jwt":
        return this.#withAssertion(server);
      case "none":
        return None();
      default:
        return undefined;
    }
  }

  #withSecret(authenticate: (secret: string) => ClientAuth): ClientAuth {
    return async (...request) => {
      const secret = await provided(this.#options.clientSecret);
      assertText(secret, "clientSecret");
      await authenticate(secret)(...request);
    };
  }

  #withAssertion({ issuer, metadata }: Pick<DiscoveredServer, "issuer" | "metadata">): ClientAuth {
    const { jwtBearerAssertion, claims, jwtLifetimeSeconds = 60 } = this.#options;
    const accepted = stringList(metadata.token_endpoint_auth_signing_alg_values_supported);
    const refused = (): AuthorizationError =>
      new AuthorizationError(
        "no-client",
        `${issuer} does not accept assertions signed with this key: it lists ${accepted?.join(", ") ?? "no algorithm"}`,
        { issuer },
      );
    return async (server, client, body, headers) => {
      if (jwtBearerAssertion !== undefined) {
        const assertion = await provided(jwtBearerAssertion);
        assertText(assertion, "jwtBearerAssertion");
        body.set("client_id", client.client_id);
        body.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        body.set("client_assertion", assertion);
        return;
      }
      const loaded = await this.#key?.load(accepted);
      if (!loaded) throw refused();
      const { key, kid, algorithm } = loaded;
      const authenticate = PrivateKeyJwt(kid === undefined ? key : { key, kid }, {
        [modifyAssertion](header, payload) {
          // The two names of EdDSA signatures with this curve (RFC 9864).
          const { alg: own } = header;
          const names = own === "Ed25519" ? [own, "EdDSA"] : [own];
          const alg = algorithm ?? names.find((name) => !accepted || accepted.some((listed) => listed === name));
          if (alg === undefined) throw refused();
          Object.assign(header, { alg });
          Object.assign(payload, { exp: Number(payload["iat"]) + jwtLifetimeSeconds }, claims);
        },
      });
      await authenticate(server, client, body, headers);
    };
  }
}

/**
 * HTTP Basic authentication (RFC 6749, section 2.3.1). Unlike `ClientSecretBasic` of oauth4webapi, leaves `-`, `.`, `_` and `*` as
 * they are (RFC 6749, appendix B; WHATWG URL, section 5.2): many servers do not decode the client id, and these characters are
 * common in it.
 */
function basicAuthentication(secret: string): ClientAuth {
  return (_server, client, _body, headers) => {
    headers.set("authorization", `Basic ${btoa(`${formEncoded(client.client_id)}:${formEncoded(secret)}`)}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** Returns a value, or what the function for it returns now. */
export function provided<Value>(source: Provided<Value>): Value | Promise<Value> {
  return typeof source === "function" ? (source as () => Value | Promise<Value>)() : source;
}

/** @throws SdkError `INVALID_CONFIGURATION` when a value is not a string with characters; does not show it */
export function assertText(value: unknown, name: string): asserts value is string {
  if (typeof value !== "string" || value === "")
    throw new SdkError(
      "INVALID_CONFIGURATION",
      `${name} must be a string that is not empty, or a function that returns one`,
    );
}

/** RFC 8414 has a default for servers without a list; only a secret fits it. */
function withoutList(usable: readonly string[]): string | undefined {
  return usable.includes("client_secret_basic") ? "client_secret_basic" : usable[0];
}

function stringList(value: unknown): readonly string[] | undefined {
  const strings = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  return strings.length === 0 ? undefined : strings;
}

function noMethod(why: string, usable: readonly string[], issuer: string): AuthorizationError {
  const has = usable.join(", ").replace("none", "none (it has neither a secret nor a key)");
  return new AuthorizationError(
    "no-client",
    `The client cannot authenticate at the token endpoint: ${why}; this client can use ${has}`,
    { issuer },
  );
}
