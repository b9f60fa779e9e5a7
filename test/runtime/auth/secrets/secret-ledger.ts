import type { CredentialStore } from "../../../../runtime/src/auth/credential-store.js";
import type { FetchLike } from "../../../../runtime/src/http-client/fetch-like.js";

/** Parameters, members and headers whose values are secret. Members are compared without case and underscores. */
const secretNames = new Set(
  [
    ["code", "code_verifier", "token", "access_token", "refresh_token", "id_token", "subject_token", "actor_token"],
    ["assertion", "client_assertion", "client_secret", "registration_access_token", "dpop", "authorization"],
    // The private members of keys in JWK form.
    ["d", "p", "q", "dp", "dq", "qi", "k"],
  ]
    .flat()
    .map(simple),
);

/** Knows every secret that was sent, received or stored. */
export class SecretLedger {
  readonly #secrets = new Map<string, string>();

  /** How many secrets it knows. */
  get size(): number {
    return this.#secrets.size;
  }

  /** Adds a secret; short values would be found by chance. */
  add(kind: string, secret: string): void {
    if (secret.length >= 8) this.#secrets.set(secret, kind);
  }

  /** Reports each secret that a text contains: as it is, in percent-encoding, or in base64. */
  findIn(text: string): readonly string[] {
    const forms = (secret: string): readonly string[] => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    ];
    return [...this.#secrets]
      .filter(([secret]) => forms(secret).some((form) => text.includes(form)))
      .map(([secret, kind]) => `${kind} ${secret.slice(0, 40)}`);
  }

  /** Returns a `fetch` whose requests and responses are searched for secrets. */
  watchFetch(fetch: FetchLike): FetchLike {
    return async (url, init) => {
      const request = new Request(url, { ...init, signal: null });
      this.#addParameters("URL", url.searchParams);
      this.#addHeaders(request.headers);
      this.#addText(await request.text());
      const response = await fetch(url, init);
      this.#addHeaders(response.headers);
      const location = response.headers.get("location");
      if (location !== null && URL.canParse(location)) this.#addParameters("callback", new URL(location).searchParams);
      this.#addText(await response.clone().text());
      return response;
    };
  }

  /** Returns a store whose values are searched for secrets. */
  watchStore(store: CredentialStore): CredentialStore {
    const withLock = store.withLock?.bind(store);
    return {
      get: (key) => store.get(key),
      set: (key, value) => {
        this.#addText(value);
        return store.set(key, value);
      },
      delete: (key) => store.delete(key),
      ...(withLock && { withLock }),
    };
  }

  #addHeaders(headers: Headers): void {
    const [scheme = "", credentials = ""] = (headers.get("authorization") ?? "").split(" ");
    this.add(`${scheme} credentials`, credentials);
    if (scheme === "Basic") {
      const [, secret = ""] = Buffer.from(credentials, "base64").toString().split(":");
      this.add("client secret", decodeURIComponent(secret));
    }
    this.add("DPoP proof", headers.get("dpop") ?? "");
  }

  /** Searches a body: JSON, or a form. */
  #addText(text: string): void {
    try {
      this.#addMembers(JSON.parse(text));
    } catch {
      this.#addParameters("form", new URLSearchParams(text));
    }
  }

  #addParameters(kind: string, parameters: URLSearchParams): void {
    for (const [name, value] of parameters) if (secretNames.has(simple(name))) this.add(`${kind} ${name}`, value);
  }

  #addMembers(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value))
      if (typeof member === "string" && secretNames.has(simple(name))) this.add(`member ${name}`, member);
      else this.#addMembers(member);
  }
}

function simple(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}
