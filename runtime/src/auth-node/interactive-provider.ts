import { AuthorizationCodeProvider, type AuthorizationCodeOptions } from "../auth.js";
import { LoopbackInteraction, type LoopbackInteractionOptions } from "./loopback-interaction.js";

export interface InteractiveProviderOptions
  extends Omit<AuthorizationCodeOptions, "redirectUri" | "interaction">, LoopbackInteractionOptions {
  /** The name of the application: on the authorization page, and on the page at the end. */
  readonly clientName: string;
}

/**
 * Lets the user of this machine log in: opens the browser, and receives the callback on the loopback interface. For command
 * lines and desktop applications on Node.
 *
 * When an MCP server requires a log-in, the request waits for the user, 5 minutes at most. Without a browser, the URL of the page is
 * printed, and `ask` can let the user paste the callback URL. One user logs in at a time; all rejected requests wait for the same
 * log-in. `close` ends it.
 *
 * A log-in fails with an AuthorizationError: `denied` when the user refuses, `abandoned` when the user takes too long.
 * @example
 * ```ts
 * const authProvider = new InteractiveProvider({
 *   clientName: "My app",
 *   store: new FileCredentialStore(join(homedir(), ".config", "my-app", "credentials.json")),
 * });
 * await client.connect(new StreamableHTTPClientTransport("https://mcp.example.com/mcp", { authProvider }));
 * ```
 */
export class InteractiveProvider extends AuthorizationCodeProvider {
  /** @throws SdkError `INVALID_CONFIGURATION` */
  constructor(options: InteractiveProviderOptions) {
    super({ ...options, interaction: new LoopbackInteraction(options) });
  }
}
