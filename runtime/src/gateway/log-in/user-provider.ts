import { type AuthorizationCodeOptions, AuthorizationCodeProvider, UnauthorizedError } from "../../auth.js";
import type { AuthChallenge, TokenUse } from "../../http-client/auth-provider.js";

/** What a provider reports. */
export interface UserProviderEvents {
  used(): void;
  /** The server does not accept a request without a log-in. */
  missing(): void;
}

/** Authorizes the requests of one user to one server. It never starts a log-in by itself. */
export class UserProvider extends AuthorizationCodeProvider {
  /** The `WWW-Authenticate` header with which the server asked for a log-in last. */
  challenge: string | undefined;

  constructor(
    options: AuthorizationCodeOptions,
    readonly events: UserProviderEvents,
  ) {
    const begin = (): Promise<never> => Promise.reject(new UnauthorizedError("the user has to log in first"));
    super({ ...options, interaction: { begin } });
  }

  override token(use?: TokenUse): Promise<string | undefined> {
    this.events.used();
    return super.token(use);
  }

  override async onUnauthorized(challenge: AuthChallenge): Promise<boolean> {
    try {
      return await super.onUnauthorized(challenge);
    } catch (error) {
      if (error instanceof UnauthorizedError) {
        this.challenge = challenge.wwwAuthenticate;
        // With status 403, the user has logged in, and only one operation needs more.
        if (challenge.status === 401) this.events.missing();
      }
      throw error;
    }
  }
}
