import { FormUser } from "../../test/auth-server/form-user.js";
import { Failure, same } from "../../test/interop/feature.js";
import { scopes, serviceClient } from "../../test/interop/log-in/parties.js";
import type { Outcome } from "../../test/interop/target.js";
import { freePort } from "../free-port.js";
import { type Command, run } from "./children.js";
import { eraOf, inspectorScript } from "./inspector.js";
import { type Feature, LogInEvents, tryFeatures } from "./log-in-features.js";

/** How the Inspector's command line reaches the protected server. */
export interface ProtectedReach {
  readonly revision: string;
  /** The origin of the server. */
  readonly origin: string;
  /** The folder to which it may write. */
  readonly home: string;
}

/** The time-out of one run, in milliseconds. */
const patienceMs = 20_000;

/**
 * Logs in with the Inspector's command line, which starts anew for each call and keeps what it knows in files.
 * @param wanted the features to try. Default: all
 */
export async function logInWithInspector(
  node: string,
  reach: ProtectedReach,
  wanted?: readonly string[],
): Promise<readonly Outcome[]> {
  const { revision, origin, home } = reach;
  const events = new LogInEvents(origin);
  const user = new FormUser();
  const callback = `http://127.0.0.1:${await freePort()}/callback`;

  /** Calls a tool. @returns its output; the user answers the pages that it opens */
  const call = async (tool: string, options: readonly string[], input = ""): Promise<string> => {
    const visits: Promise<string>[] = [];
    const command: Command = [
      node,
      inspectorScript,
      ...["--cli", "--protocol-era", eraOf(revision), "--format", "json", "--quiet"],
      ...["--method", "tools/call", "--tool-name", tool, ...options],
      ...["--transport", "http", "--server-url", `${origin}/mcp`],
    ];
    const { stdout, stderr, code } = await run(command, patienceMs, {
      // It logs in without a terminal only when it may open a browser, which this one is not.
      env: { HOME: home, MCP_AUTO_OPEN_ENABLED: "true", BROWSER: "true", MCP_INSPECTOR_SECRET_STORE: "file" },
      input,
      onErrorLine(line) {
        const [, page] = /^Please navigate to: (\S+)$/.exec(line) ?? [];
        if (page !== undefined) visits.push(user.visit(page).then(() => "", String));
      },
    });
    const problems = await Promise.all(visits);
    const output = [stdout, stderr, ...problems].join("\n").trim();
    if (code !== 0) throw new Failure(`it exited with ${code} and printed ${output.slice(-400)}`);
    return /"text":"([^"]*)"/.exec(stdout)?.[1] ?? stdout;
  };

  const features: readonly Feature[] = [
    [
      "token",
      async () => {
        const options = ["--header", `Authorization: Bearer ${await serviceToken(origin)}`, "--stored-auth-only"];
        same("the result", await call("read", options), "read by service");
      },
    ],
    [
      "log-in",
      async () => {
        await events.next();
        same("the result", await call("read", ["--callback-url", callback]), "read by ada");
        same("the events", await events.next(), ["register", "page", "granted authorization_code"]);
      },
    ],
    [
      "second connection",
      async () => {
        same("the result", await call("read", ["--stored-auth-only"]), "read by ada");
        same("the events", await events.next(), []);
      },
    ],
    [
      "refresh",
      async () => {
        await events.expire();
        same("the result", await call("read", ["--stored-auth-only"]), "read by ada");
        same("the events", await events.next(), ["granted refresh_token"]);
      },
    ],
    [
      "step-up",
      async () => {
        same("the result", await call("write", ["--callback-url", callback], "y\n"), "write by ada");
        same("the events", await events.next(), ["page", "granted authorization_code"]);
      },
    ],
  ];
  return tryFeatures(features.filter(([name]) => wanted?.includes(name) ?? true));
}

/** Requests a token for a service, which needs no user. */
async function serviceToken(origin: string): Promise<string> {
  const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`);
  const { authorization_servers: issuers } = (await metadata.json()) as {
    readonly authorization_servers: readonly string[];
  };
  const { client_id, client_secret } = serviceClient;
  const credentials = [client_id, client_secret].map(encodeURIComponent).join(":");
  const response = await fetch(`${String(issuers[0])}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      scope: scopes.read,
      resource: `${origin}/mcp`,
    }),
  });
  const { access_token: token } = (await response.json()) as { readonly access_token?: string };
  if (token === undefined) throw new Failure(`the service got no token: ${response.status}`);
  return token;
}
