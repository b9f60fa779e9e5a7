import { dirname, join, resolve } from "node:path";
import type { CredentialStore, PreRegisteredClient } from "@mcpwright/runtime/auth";
import { FileCredentialStore, guardedFetch } from "@mcpwright/runtime/auth/node";
import type { BearerAuth } from "@mcpwright/runtime/auth/server";
import { SdkError } from "@mcpwright/runtime/errors";
import { createUserLogIn, type ServerLogIn, type UserLogIn } from "@mcpwright/runtime/gateway/log-in";
import { diagnostic, DiagnosticError, fail } from "../../../shared/diagnostics/diagnostic.js";
import { credentialsPath } from "../../../shared/sessions/credentials-path.js";
import type { GatewaySettings, LogInPageConfig } from "../config/gateway-config.js";
import type { ResolvedHttpServer, ResolvedLogIn } from "../config/resolve-references.js";
import { type ReferenceContext, resolveText } from "../config/resolve-text.js";

/** The log-in of each user at servers with `logIn`, as a configuration describes it. */
export interface ConfigLogIn {
  /** The page where log-ins begin, as browsers reach it. */
  readonly page: URL;
  /** The file with the tokens of the users. */
  readonly file: string;
  /** Serves the page, and the paths below it. */
  readonly listener: UserLogIn["listener"];
  /** @throws DiagnosticError gateway-log-in-refused */
  serverLogIn(server: ResolvedHttpServer): ServerLogIn;
  /** Finds out whether the file can be read. @throws DiagnosticError gateway-log-in-refused */
  assertReadable(): Promise<void>;
}

/**
 * Makes the log-in of users, of a gateway that knows its users. No server is asked, and no file is read.
 * @param onerror receives failures that no user sees
 * @throws DiagnosticError gateway-log-in-refused, gateway-variable-unset, gateway-file-unreadable
 */
export function logInOf(
  settings: GatewaySettings,
  context: ReferenceContext,
  authorization: BearerAuth<object>,
  onerror: (error: Error) => void,
): ConfigLogIn {
  const { name, logIn = {} } = settings;
  const { file, client } = resolvePage(logIn, context);
  const page = pageOf(settings, authorization.resource);
  if (otherPaths.includes(page.pathname))
    fail("gateway-log-in-refused", { reason: `the gateway serves something else at ${page.pathname}` });
  const path = file === undefined ? defaultFile(page) : resolve(dirname(context.path), file);
  return explained(() => {
    const store: CredentialStore = new FileCredentialStore(path, { onerror });
    const users = createUserLogIn({
      url: page.href,
      authorization,
      store,
      onerror,
      fetch: guardedFetch({ allow: hostsOf(settings) }),
      ...(client && { client }),
      ...(name !== undefined && { clientName: name }),
    });
    return {
      page,
      file: path,
      listener: users.listener,
      serverLogIn: ({ url, logIn: own = {} }) => explained(() => users.server(serverOptions(url, own))),
      async assertReadable() {
        try {
          await store.get("");
        } catch (error) {
          throw refusalOf(error);
        }
      },
    };
  });
}

/** What the gateway serves besides the page. */
const otherPaths: readonly string[] = ["/mcp", "/status", "/status.json", "/status.js", "/status.css"];

/** The page where users of a configuration log in. @param resource the URL of the gateway, as clients use it */
export function pageOf({ logIn }: GatewaySettings, resource: string): URL {
  return new URL(logIn?.url ?? "/log-in", resource);
}

/** Beside the credentials of the user who starts the gateway; two gateways have two pages. */
function defaultFile({ host, pathname }: URL): string {
  return join(dirname(credentialsPath()), "gateway-log-ins", `${encodeURIComponent(`${host}${pathname}`)}.json`);
}

function serverOptions({ hostname }: URL, logIn: ResolvedLogIn): Parameters<UserLogIn["server"]>[0] {
  const { scopes, authHosts = [] } = logIn;
  const client = clientOf(logIn);
  return {
    fetch: guardedFetch({ allow: [hostname, ...authHosts] }),
    ...(client && { client }),
    ...(scopes && { scopes }),
  };
}

function resolvePage(
  { file, clientId, clientSecret, issuer }: LogInPageConfig,
  context: ReferenceContext,
): { readonly file: string | undefined; readonly client: PreRegisteredClient | undefined } {
  const fields = Object.entries({ file, clientId, clientSecret }).flatMap(([field, text]) =>
    text ? [[field, resolveText(text, `gateway.logIn.${field}`, context)] as const] : [],
  );
  const missing = fields.flatMap(([, resolved]) => resolved.missing ?? []);
  if (missing.length > 0) throw new DiagnosticError(missing);
  const values: Readonly<Record<string, string>> = Object.fromEntries(
    fields.map(([field, { value = "" }]) => [field, value]),
  );
  return { file: values["file"], client: clientOf({ ...values, ...(issuer !== undefined && { issuer }) }) };
}

function clientOf({ clientId, clientSecret, issuer }: ResolvedLogIn): PreRegisteredClient | undefined {
  if (clientId === undefined) return undefined;
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(issuer !== undefined && { issuer }),
  };
}

/** The hosts of the gateway's own authorization servers, which the operator has named, so that their addresses may be private. */
export function hostsOf({ authorization, logIn }: GatewaySettings): readonly string[] {
  const { issuer = [], introspection } = authorization ?? {};
  const issuers = [issuer, introspection?.issuer ?? []].flat();
  return [...issuers.map((one) => new URL(one).hostname), ...(logIn?.authHosts ?? [])];
}

function explained<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof SdkError)) return error;
  return new DiagnosticError([diagnostic("gateway-log-in-refused", { reason: error.message })]);
}
