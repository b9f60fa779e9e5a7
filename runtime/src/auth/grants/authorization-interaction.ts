/** Shows the authorization page to the user, and receives the callback. */
export interface AuthorizationInteraction {
  /**
   * Called when a user has to log in, before the URL of the page is made: opens the receiver of the callback. Called a second time
   * when the authorization server does not know the client any more.
   */
  begin(context: InteractionContext): Promise<ActiveInteraction>;
}

export interface InteractionContext {
  /** Aborted when the log-in takes too long, or is no longer needed. */
  readonly signal: AbortSignal;
  /**
   * The redirect URIs of the stored registration. A receiver that can use one of them, for example by listening on the same
   * port, avoids another registration. Empty without a stored registration.
   */
  readonly registeredRedirectUris: readonly string[];
}

/** One log-in of a user. */
export interface ActiveInteraction {
  /** The URI of the callback, exactly as it is registered and sent to the authorization server. */
  readonly redirectUri: string;
  /**
   * Shows the page. Called once.
   * @returns the URL of the callback; undefined when the callback arrives in another request, which then calls `finish`
   */
  authorize(url: URL): Promise<URL | string | undefined>;
  /** Called once, at the end: closes the receiver, and may show the outcome to the user. */
  end(outcome: "success" | Error): void | Promise<void>;
}
