import type { AuthorizationErrorData } from "@mcpwright/runtime/auth";
import type { SdkError } from "@mcpwright/runtime/errors";
import type { DiagnosticId } from "../diagnostics/catalogue.js";

type Found = readonly [DiagnosticId, Readonly<Record<string, string>>];

/** Explains why a server could not be logged in to. @param url of the MCP server */
export function explainLoginFailure({ code, message, data }: SdkError, url: string): Found {
  if (code === "UNAUTHORIZED") return ["login-required", { url }];
  if (code === "INSUFFICIENT_SCOPE") return ["login-scopes-missing", { url, reason: message }];
  const details = data as AuthorizationErrorData;
  const { reason } = details;
  if (reason === "store-failed") return ["credentials-unusable", { reason: message }];
  return ["login-failed", { url, reason: describe(details) ?? message, hint: hints[reason] ?? ofServer }];
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
