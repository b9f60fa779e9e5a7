import { existsSync } from "node:fs";
import type { HttpErrorData } from "@mcpwright/runtime/client/http";
import { ProtocolError, RemoteError, SdkError } from "@mcpwright/runtime/errors";
import type { DiagnosticId } from "../diagnostics/catalogue.js";
import { diagnostic, DiagnosticError } from "../diagnostics/diagnostic.js";
import { explainLoginFailure } from "./explain-login-failure.js";
import { hasAuthorization, type HttpTarget, type ServerTarget } from "./target.js";
import { escapeLine } from "../command/escape-controls.js";

/** The circumstances of a failure. */
export interface FailureContext {
  readonly target: ServerTarget;
  readonly name: string;
  /** The request that failed. */
  readonly what: string;
  readonly known: readonly string[];
  /** Whether the server has responded before. */
  readonly isOpen: boolean;
  /** Whether the user has passed a token. */
  readonly hasToken: boolean;
  /** The first non-message that the server wrote to stdout. */
  readonly noise: string | undefined;
  readonly stderr: readonly string[];
}

type Values = Readonly<Record<string, string | number>>;

/** Converts a failure of the server or the network to a diagnostic. Returns other errors unchanged. */
export function explainFailure(error: unknown, facts: FailureContext): unknown {
  const found = find(error, facts);
  if (!found) return error;
  const [id, values] = found;
  return new DiagnosticError([diagnostic(id, values)]);
}

type Found = readonly [DiagnosticId, Values] | undefined;

function find(error: unknown, facts: FailureContext): Found {
  const { what, noise, name, isOpen, known } = facts;
  // Noise explains a failure only before the first valid response.
  const isNoisy = noise !== undefined && !isOpen && facts.target.kind === "stdio";
  if (error instanceof RemoteError) {
    const { code, message } = error;
    return ["server-refused", { what, code, reason: message }];
  }
  // This side rejected the request, for example a form of the server.
  if (error instanceof ProtocolError) return ["server-lacks", { what, reason: error.message }];
  if (!(error instanceof SdkError)) return undefined;
  const reason = error.message;
  switch (error.code) {
    case "NOT_CONNECTED":
      return isOpen ? ["server-gone", { reason }] : notStarted(error, facts);
    case "CONNECTION_CLOSED":
      if (isNoisy) return ["server-stdout-broken", { command: name, text: noise }];
      return isOpen || facts.target.kind === "http" ? ["server-gone", { reason }] : exited(error, facts);
    case "CONNECT_TIMEOUT":
    case "REQUEST_TIMEOUT":
      if (isNoisy) return ["server-stdout-broken", { command: name, text: noise }];
      return ["server-silent", { server: name, reason }];
    case "SEND_FAILED":
      return facts.target.kind === "http" ? unreachable(error, facts.target) : ["server-gone", { reason }];
    case "HTTP_ERROR":
      return facts.target.kind === "http" ? refused(error, facts.target, facts) : undefined;
    case "UNAUTHORIZED":
    case "AUTHORIZATION_FAILED":
    case "INSUFFICIENT_SCOPE":
      return explainLoginFailure(error, name);
    case "NO_COMMON_REVISION":
      return ["server-no-common-revision", { reason, known: known.join(", ") }];
    case "SESSION_LOST":
    case "RESPONSE_LOST":
      return ["server-gone", { reason }];
    case "INVALID_CONFIGURATION":
      return isOpen ? ["answer-invalid", { reason }] : ["server-not-startable", { command: name, reason }];
    case "CAPABILITY_NOT_SUPPORTED":
    case "NOT_IN_THIS_REVISION":
    case "INPUT_REQUIRED_UNSUPPORTED":
      return ["server-lacks", { what, reason }];
    case "TASK_CANCELLED":
    case "TASK_EXPIRED":
    case "TASK_NOT_FOUND":
      return ["server-task-ended", { what, reason }];
    case "INVALID_RESULT":
    case "INVALID_MESSAGE":
    case "LIMIT_EXCEEDED":
    case "LIST_PAGINATION_EXCEEDED":
    case "INPUT_REQUIRED_ROUNDS_EXCEEDED":
      return ["server-broke-protocol", { reason }];
    default:
      return undefined;
  }
}

function notStarted(error: SdkError, { target }: FailureContext): Found {
  if (target.kind === "http") return ["server-gone", { reason: error.message }];
  const { command, cwd } = target;
  if (cwd !== undefined && !existsSync(cwd)) return ["target-folder-missing", { path: cwd }];
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ENOENT") return ["server-command-not-found", { command }];
  return ["server-not-startable", { command, reason: code ?? error.message }];
}

function exited(error: SdkError, { name, stderr }: FailureContext): Found {
  const { exitCode, signal } = endOf(error);
  const how = signal ? `was ended by ${signal}` : exitCode === undefined ? "ended" : `ended with code ${exitCode}`;
  const told = stderr.filter((line) => line.trim() !== "" && !/^\s+at |^Node\.js v/.test(line)).slice(-6);
  const wrote = told.length === 0 ? "" : `; it wrote: ${escapeLine(told.join("\n"), 300)}`;
  return ["server-exited", { command: name, how, wrote }];
}

interface End {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/** How the process ended; pending requests have it as the cause of their failure. */
function endOf({ data, cause }: SdkError): End {
  if (typeof data === "object" && data !== null && "exitCode" in data) return data as End;
  return cause instanceof SdkError ? endOf(cause) : {};
}

/** OpenSSL codes of certificates that are not trusted or belong to another host. */
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|self-signed/i;
const tls = /SSL|EPROTO|TLS/i;

function unreachable(error: SdkError, { url }: HttpTarget): Found {
  const at = { url: `${url.origin}${url.pathname}` };
  const codes = codesOf(error);
  const reason = causeOf(error);
  if (codes.includes("ECONNREFUSED")) return ["server-port-refused", at];
  if (codes.some((code) => code === "ENOTFOUND" || code === "EAI_AGAIN")) return ["server-host-unknown", at];
  if (codes.some((code) => certificate.test(code))) return ["server-certificate", { ...at, reason }];
  if (codes.some((code) => tls.test(code))) return ["server-tls", { ...at, reason }];
  return ["server-not-reachable", { ...at, reason }];
}

/** The codes of an error and of its causes, one for each address that was tried. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { code, cause } = error as NodeJS.ErrnoException;
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...(code === undefined ? [] : [code]), ...inner, ...codesOf(cause)];
}

function causeOf(error: Error): string {
  const { cause } = error;
  if (cause instanceof Error) return causeOf(cause);
  return error.message === "" ? codesOf(error).join(", ") : error.message;
}

function refused(error: SdkError, target: HttpTarget, { name: url, hasToken }: FailureContext): Found {
  const { status, body, wwwAuthenticate } = error.data as HttpErrorData;
  const text = escapeLine(body.replace(/<[^>]*>/g, " "), 120);
  if (status === 401) {
    const option = hasToken ? "--token" : hasAuthorization(target) ? "--header" : undefined;
    const hint =
      option === undefined
        ? `Log in with mcpwright login ${url}, or pass a token with --token.`
        : `The server rejected the token in ${option}: it may have expired or belong to another server.`;
    return [
      "server-unauthorized",
      { url, challenge: wwwAuthenticate === undefined ? "" : `, ${wwwAuthenticate}`, hint },
    ];
  }
  if (status === 403) return ["server-forbidden", { url, body: text || "no reason given" }];
  const isPage = /^\s*<(!doctype|html)/i.test(body);
  if (isPage || (status < 500 && status !== 429 && status !== 408)) {
    const isRedirect = status >= 300 && status < 400;
    const page = isRedirect ? error.message : isPage ? "an HTML page" : text === "" ? "" : `"${text}"`;
    return ["server-wrong-url", { url, answer: [status, page].filter((part) => part !== "").join(", ") }];
  }
  return ["server-http-failed", { url, reason: error.message, body: text }];
}
