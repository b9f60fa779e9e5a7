import type { CredentialStore } from "@mcpwright/runtime/auth";
import { credentialsPath } from "../../shared/sessions/credentials-path.js";
import { explainingLogin } from "../../shared/sessions/explain-login-failure.js";
import { createLogin, openCredentials } from "../../shared/sessions/login-provider.js";
import { forgetClient } from "../../shared/sessions/saved-client.js";
import { httpTarget, targetName } from "../../shared/sessions/target.js";

export interface LogoutOptions {
  /** The URL of the MCP server, as at the log-in. */
  readonly url: string;
  /** The file with the credentials. Default: `mcpwright/credentials.json` in the user's folder for configuration. */
  readonly credentials?: string;
  readonly signal?: AbortSignal;
  /** Called with each warning, such as that of a failed revocation. */
  readonly tell?: (line: string) => void;
}

/** `mcpwright logout --json` prints this object. */
export interface LogoutResult {
  /** The URL of the MCP server, without credentials. */
  readonly url: string;
  /** Whether there were credentials. */
  readonly wasLoggedIn: boolean;
}

/** @throws DiagnosticError target-url-invalid, credentials-unusable */
export async function logOutOfServer(options: LogoutOptions): Promise<LogoutResult> {
  const { tell = () => undefined, signal, credentials = credentialsPath() } = options;
  const target = httpTarget(options.url);
  const url = targetName(target);
  const user = { tell };
  const store = openCredentials(credentials, user);
  let wasLoggedIn = false;
  const watched: CredentialStore = {
    get: (key) => store.get(key),
    set: (key, value) => store.set(key, value),
    async delete(key) {
      wasLoggedIn ||= key.startsWith("tokens ") && (await store.get(key)) !== undefined;
      await store.delete(key);
    },
    ...(store.withLock && { withLock: store.withLock.bind(store) }),
  };
  await explainingLogin(url, async () => {
    const { provider } = await createLogin(target.url, { credentials }, user, watched);
    const stop = (): void => void provider.close();
    signal?.addEventListener("abort", stop);
    try {
      await provider.logout(target.url);
      await forgetClient(store, target.url);
    } finally {
      signal?.removeEventListener("abort", stop);
      await provider.close();
    }
  });
  return { url, wasLoggedIn };
}
