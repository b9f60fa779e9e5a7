import { AuthorizationCodeProvider } from "@mcpwright/runtime/auth";
import type { FormUser } from "../auth-server/form-user.js";
import { type ProviderOptions, redirectUri } from "./clients.js";

/** A provider for a user who answers the pages at once. */
export function providerFor(user: FormUser, options: ProviderOptions = {}): AuthorizationCodeProvider {
  return new AuthorizationCodeProvider({
    clientName: "Desk",
    redirectUri,
    interaction: {
      begin: () => Promise.resolve({ redirectUri, authorize: (url: URL) => user.authorize(url), end: () => undefined }),
    },
    ...options,
  });
}
