import type {
  OAuthClientInformation,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from "../../../../runtime/src/auth.js";
import { redirectUri } from "../providers/code-flow-fixture.js";

/** What a program stores: as JSON, for example in a database. */
export interface Stored {
  client?: OAuthClientInformation | undefined;
  tokens?: OAuthTokens | undefined;
  verifier?: string | undefined;
  discovery?: OAuthDiscoveryState | undefined;
}

/** A provider as programs on the official SDK have it. Several may share what is stored. */
export class ProgramProvider implements OAuthClientProvider {
  readonly redirectUrl = redirectUri;
  readonly clientMetadata = { client_name: "Program", redirect_uris: [redirectUri], scope: "profile" };
  /** The pages that the user has seen. */
  readonly pages: URL[] = [];

  constructor(readonly stored: Stored = {}) {}

  clientInformation(): OAuthClientInformation | undefined {
    return copy(this.stored.client);
  }

  saveClientInformation(client: OAuthClientInformation): void {
    this.stored.client = copy(client);
  }

  tokens(): OAuthTokens | undefined {
    return copy(this.stored.tokens);
  }

  saveTokens(tokens: OAuthTokens): void {
    this.stored.tokens = copy(tokens);
  }

  redirectToAuthorization(url: URL): void {
    this.pages.push(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.stored.verifier = verifier;
  }

  codeVerifier(): string {
    if (this.stored.verifier === undefined) throw new Error("No code verifier saved");
    return this.stored.verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.stored.discovery = copy(state);
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return copy(this.stored.discovery);
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (scope === "all") Object.assign(this.stored, { client: undefined, tokens: undefined, discovery: undefined });
    else this.stored[scope] = undefined;
  }
}

function copy<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);
}
