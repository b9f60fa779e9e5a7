import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type AuthServerOptions, startAuthServer } from "../../../auth-server/auth-server.js";
import { FormUser, type UserOptions } from "../../../auth-server/form-user.js";
import { startProtectedServer } from "../../../auth-server/protected-server.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

/** A real authorization server, a server that trusts it, and a user with a browser, until the test has finished. */
export async function loginPlace(options: AuthServerOptions = { registration: true }, user: UserOptions = {}) {
  const authServer = await startAuthServer(options);
  onTestFinished(() => authServer.close());
  const server = await startProtectedServer(authServer, { tokens: "opaque" });
  onTestFinished(() => server.close());
  const credentials = join(temporaryFolder("login"), "mcpwright", "credentials.json");
  const lines: string[] = [];
  const pages: Promise<string>[] = [];
  /** Prints for a user who opens the printed page. */
  const tell = (line: string): void => {
    lines.push(line);
    if (line.startsWith("http")) pages.push(new FormUser(user).visit(line));
  };
  return { authServer, server, url: server.url.href, credentials, lines, pages, tell };
}
