import { FormUser } from "../../auth-server/form-user.js";

/** The client of a registration, and the tokens; both packages have these types. */
interface Client {
  readonly client_id: string;
}
interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly scope?: string;
}

/** The OAuth client provider of a program in a terminal, for the official packages. It keeps everything in memory. */
export class MemoryProvider<DiscoveryState = unknown> {
  readonly redirectUrl = "http://127.0.0.1:9/callback";
  readonly clientMetadata = {
    client_name: "Desk",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  readonly #user = new FormUser();
  #client: Client | undefined;
  #tokens: Tokens | undefined;
  #verifier = "";
  #state = "";
  #page: URL | undefined;
  #discovery: DiscoveryState | undefined;
  #events: string[] = [];

  /** What happened since the last call, in order: `register`, `page`, `granted <grant type>`, `refused <grant type>`. */
  newEvents(): readonly string[] {
    return this.#events.splice(0);
  }

  /** Does what the user does with the page that was opened last. @returns the parameters of the redirect */
  async answer(): Promise<URLSearchParams> {
    if (!this.#page) throw new Error("no page was opened");
    const { searchParams } = await this.#user.authorize(this.#page);
    if (searchParams.get("state") !== this.#state) throw new Error("the redirect has another state");
    return searchParams;
  }

  /** Sends a request of the transport or of the log-in. */
  readonly fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const grant = init?.body instanceof URLSearchParams ? init.body.get("grant_type") : null;
    if (grant !== null && !(await isNonceChallenge(response)))
      this.#events.push(`${response.ok ? "granted" : "refused"} ${grant}`);
    return response;
  };

  state(): string {
    this.#state = crypto.randomUUID();
    return this.#state;
  }

  clientInformation(): Client | undefined {
    return this.#client;
  }

  saveClientInformation(client: Client): void {
    this.#events.push("register");
    this.#client = client;
  }

  tokens(): Tokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: Tokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(page: URL): void {
    this.#events.push("page");
    this.#page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: DiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): DiscoveryState | undefined {
    return this.#discovery;
  }
}

/** Whether the client has to send the request again with the nonce of this response (RFC 9449, section 8). */
async function isNonceChallenge(response: Response): Promise<boolean> {
  if (response.status !== 400) return false;
  const { error } = (await response.clone().json()) as { readonly error?: string };
  return error === "use_dpop_nonce";
}
