/** A server that requires a log-in, a configuration of a gateway before it, and users with clients and without a browser. */
import { join } from "node:path";
import { InteractiveProvider } from "@mcpwright/runtime/auth/node";
import { onTestFinished } from "vitest";
import { freePort } from "../../../../scripts/free-port.js";
import { Client } from "../../../../runtime/src/client.js";
import { StreamableHTTPClientTransport } from "../../../../runtime/src/client/http.js";
import { type AuthServer, type AuthServerOptions, startAuthServer } from "../../../auth-server/auth-server.js";
import { FormUser } from "../../../auth-server/form-user.js";
import { type ProtectedServer, startProtectedServer } from "../../../auth-server/protected-server.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

export interface LogInPlace {
  /** That of both, the gateway and the server. */
  readonly auth: AuthServer;
  /** The server `docs`, with the tools `read` and `write`, which say who uses them. */
  readonly server: ProtectedServer;
  readonly port: number;
  /** The URL of the gateway. */
  readonly url: URL;
  /** The file for the tokens of the users. */
  readonly file: string;
  /** The member `gateway` of the configuration. */
  readonly gateway: { readonly authorization: object; readonly logIn: object };
}

/** Starts both servers until the test has finished, and chooses a port for the gateway. */
export async function logInPlace(options: (page: string) => AuthServerOptions = () => ({})): Promise<LogInPlace> {
  const port = await freePort();
  const auth = await startAuthServer({ registration: true, ...options(`http://127.0.0.1:${port}/log-in`) });
  onTestFinished(() => auth.close());
  const server = await startProtectedServer(auth);
  onTestFinished(() => server.close());
  const resource = `http://127.0.0.1:${port}/mcp`;
  auth.resources.set(resource, { scopes: ["gateway:use"], tokens: "jwt" });
  const file = join(temporaryFolder("log-ins"), "users", "log-ins.json");
  const authorization = { resource, issuer: auth.issuer, scopes: ["gateway:use"] };
  return { auth, server, port, url: new URL(resource), file, gateway: { authorization, logIn: { file } } };
}

export interface ConnectedUser {
  readonly client: Client;
  /** The links that the client got. */
  readonly links: string[];
  /** The texts of the pages at the ends of their log-ins. */
  readonly shown: string[];
}

/**
 * Connects the client of a user, who logs in at the gateway, until the test has finished.
 * @param canOpen whether the client can show links, which the user then opens
 */
export async function connectUser(
  url: URL,
  login: string,
  canOpen = true,
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<ConnectedUser> {
  const links: string[] = [];
  const shown: string[] = [];
  const visits: Promise<string>[] = [];
  onTestFinished(async () => {
    await Promise.allSettled(visits);
  });
  const openUrl = (page: URL): Promise<boolean> => {
    visits.push(new FormUser({ login }).visit(page));
    return Promise.resolve(true);
  };
  const authProvider = new InteractiveProvider({ clientName: "Desk", print: () => undefined, openUrl });
  const capabilities = canOpen ? { elicitation: { url: {} } } : {};
  const client = new Client({ name: "desk", version: "1.0.0" }, { capabilities, ...options });
  if (canOpen)
    client.setRequestHandler("elicitation/create", async (params) => {
      if (!("url" in params)) return { action: "decline" };
      links.push(params.url);
      shown.push(await new FormUser({ login }).open(params.url));
      return { action: "accept" };
    });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
  return { client, links, shown };
}
