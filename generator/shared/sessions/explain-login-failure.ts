import type { AuthorizationErrorData, InsufficientScopeError } from "@mcpwright/runtime/auth";
import { SdkError } from "@mcpwright/runtime/errors";
import type { DiagnosticId } from "../diagnostics/catalogue.js";
import { diagnostic, DiagnosticError } from "../diagnostics/diagnostic.js";

type Found = readonly [DiagnosticId, Readonly<Record<string, string>>];

/** Explains why a server could not be logged in to. @param url of the MCP server */
export function explainLoginFailure({ code, message, data }: SdkError, url: string): Found {
  if (code === "UNAUTHORIZED") return ["login-required", { url }];
  if (code === "INSUFFICIENT_SCOPE") {
    const { required } = data as InsufficientScopeError["data"];
    const options = required.map((scope) => ` --scope ${scope}`).join("");
    return ["login-scopes-missing", { url, reason: message, options }];
  }
  const details = data as AuthorizationErrorData;
  const { reason } = details;
  if (reason === "store-failed") return ["credentials-unusable", { reason: message }];
  return ["login-failed", { url, reason: describe(details) ?? message, hint: hints[reason] ?? ofServer }];
}

/**
 * Runs a part of a log-in that no session runs.
 * @param url of the MCP server
 * @throws DiagnosticError login-*, credentials-unusable
 */
export async function explainingLogin<Value>(url: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    throw new DiagnosticError([diagnostic(...explainLoginFailure(error, url))]);
  }
}

const ofServer = "This is a problem of the server or its authorization server: report it to the operator.";
const ofClient =
  "Pass a token with --token. Or register a client at the authorization server, and pass it with --client-id and --client-secret-file.";

const hints: Readonly<Partial<Record<AuthorizationErrorData["reason"], string>>> = {
  "insecure-url": "If the authorization server has a private address and you trust it, name its host with --auth-host.",
  "metadata-not-found": "Ask the operator of the server how to log in, or pass a token with --token.",
  "no-client": ofClient,
  "registration-refused": ofClient,
  "token-refused": "Log in again. If you passed --client-id or --client-secret-file, check them.",
  denied: "Log in again, and allow the access.",
  abandoned: "Run the command again. With --no-browser, it prints the address of the page.",
  unreachable: "Check your network connection, and try again.",
};

/** The messages of the library name its options. */
function describe({
  reason,
  issuer = "the authorization server",
  error,
  status,
}: AuthorizationErrorData): string | undefined {
  if (reason === "no-client") return `${issuer} knows no client of yours, and registers none`;
  if (reason !== "registration-refused") return undefined;
  const why = [status === undefined ? "" : `status ${status}`, error ?? ""].filter((part) => part !== "").join(", ");
  return `${issuer} did not register mcpwright as a client${why === "" ? "" : ` (${why})`}`;
}
