import { parseEnv } from "node:util";
import { type Diagnostic, diagnostic, DiagnosticError } from "../../../shared/diagnostics/diagnostic.js";
import { pathsOf } from "../../../shared/files/paths-of.js";
import type { ConfigText } from "./config-text.js";
import type { AuthConfig, HttpServerConfig, LogInConfig, ServerConfig, StdioServerConfig } from "./gateway-config.js";
import { fieldLabel, type Pointer } from "./labels.js";
import { readNeededFile, type ReferenceContext, resolvePath, resolveText, workspaceFolderOf } from "./resolve-text.js";

/** A server without references. Contains secrets: never print it. */
export type ResolvedServer = ResolvedStdioServer | ResolvedHttpServer;

export interface ResolvedStdioServer {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** The variables of `envFile` and `env`, in addition to the few that every server inherits. */
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. Default: the working directory of the gateway */
  readonly cwd?: string;
}

export interface ResolvedHttpServer {
  readonly kind: "http";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: HttpServerConfig["transport"];
  readonly auth: ResolvedAuth;
  readonly logIn?: ResolvedLogIn;
}

export interface ResolvedAuth extends ResolvedLogIn {
  readonly type: AuthConfig["type"];
}

export interface ResolvedLogIn extends Omit<LogInConfig, "clientId" | "clientSecret"> {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** A field of a server that cannot be used in the environment of the gateway. */
export interface UnresolvedField {
  /** The names from the server to the field. */
  readonly field: Pointer;
  readonly diagnostic: Diagnostic;
}

/**
 * Replaces the references in the fields of a server, and reads its `envFile`. Call it each time the server starts, so that new
 * values of secrets apply.
 * @throws DiagnosticError gateway-variable-unset, gateway-input-unset, gateway-file-unreadable, gateway-value-invalid: all that is
 * missing, by the names of server, field and variable, without values
 */
export function resolveReferences(server: StdioServerConfig, context: ReferenceContext): ResolvedStdioServer;
export function resolveReferences(server: HttpServerConfig, context: ReferenceContext): ResolvedHttpServer;
export function resolveReferences(server: ServerConfig, context: ReferenceContext): ResolvedServer;
export function resolveReferences(server: ServerConfig, context: ReferenceContext): ResolvedServer {
  const { resolved, unresolved } = tryResolve(server, context);
  if (!resolved) throw new DiagnosticError(unresolved.map((one) => one.diagnostic));
  return resolved;
}

/** Like `resolveReferences`, but returns what is missing. */
export function tryResolve(
  server: ServerConfig,
  context: ReferenceContext,
): { readonly resolved: ResolvedServer | undefined; readonly unresolved: readonly UnresolvedField[] } {
  const fields = new FieldResolver(server.name, context);
  const resolved = server.kind === "stdio" ? resolveStdio(server, fields) : resolveHttp(server, fields);
  return { resolved: fields.unresolved.length === 0 ? resolved : undefined, unresolved: fields.unresolved };
}

function resolveStdio(server: StdioServerConfig, fields: FieldResolver): ResolvedStdioServer {
  const { context } = fields;
  const folder = context.workspaceFolder ?? workspaceFolderOf(context.path, context.platform);
  const command = fields.resolve(server.command, ["command"], isFilled);
  const args = server.args.map((text, at) => fields.resolve(text, ["args", String(at)], withoutNul));
  const cwd = server.cwd && fields.resolve(server.cwd, ["cwd"], isFilled);
  // Empty if it cannot be resolved.
  const envFile = server.envFile && fields.resolve(server.envFile, ["envFile"], isFilled);
  const env = fields.resolveAll(server.env, "env", withoutNul);
  return {
    kind: "stdio",
    command,
    args,
    env: { ...(envFile && fields.readVariables(envFile, folder)), ...env },
    ...(cwd !== undefined && { cwd: resolvePath(cwd, folder, context) }),
  };
}

function resolveHttp(server: HttpServerConfig, fields: FieldResolver): ResolvedHttpServer {
  const url = fields.resolve(server.url, ["url"], isServerUrl);
  return {
    kind: "http",
    url: URL.canParse(url) ? new URL(url) : new URL("http://invalid/"),
    headers: fields.resolveAll(server.headers, "headers", isHeaderValue),
    transport: server.transport,
    auth: { ...resolveClient(server.auth, "auth", fields), type: server.auth.type },
    ...(server.logIn && { logIn: resolveClient(server.logIn, "logIn", fields) }),
  };
}

function resolveClient(
  { clientId, clientSecret, ...others }: LogInConfig,
  field: "auth" | "logIn",
  fields: FieldResolver,
): ResolvedLogIn {
  return {
    ...others,
    ...(clientId && { clientId: fields.resolve(clientId, [field, "clientId"], isFilled) }),
    ...(clientSecret && { clientSecret: fields.resolve(clientSecret, [field, "clientSecret"], isFilled) }),
  };
}

/** Returns why a value is invalid, without the value. */
type Check = (value: string) => string | undefined;

/** Resolves fields, and collects those that cannot be resolved. */
class FieldResolver {
  readonly unresolved: UnresolvedField[] = [];

  constructor(
    private readonly server: string,
    readonly context: ReferenceContext,
  ) {}

  /** The value of a field; an empty string if it cannot be resolved. */
  resolve(text: ConfigText, field: Pointer, check: Check): string {
    const label = this.label(field);
    const { value, missing } = resolveText(text, label, this.context);
    const reason = value === undefined ? undefined : check(value);
    const invalid =
      reason === undefined ? [] : [diagnostic("gateway-value-invalid", { field: label, reason, cause: causeIn(text) })];
    for (const one of missing ?? invalid) this.unresolved.push({ field, diagnostic: one });
    return value ?? "";
  }

  resolveAll(
    texts: Readonly<Record<string, ConfigText>>,
    field: string,
    check: Check,
  ): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, this.resolve(text, [field, name], check)]),
    );
  }

  /** The variables of a file with lines `NAME=value`. */
  readVariables(path: string, folder: string): Readonly<Record<string, string>> {
    const file = resolvePath(path, folder, this.context);
    const text = readNeededFile(file, this.label(["envFile"]), folder, this.context);
    if (typeof text !== "string") {
      this.unresolved.push({ field: ["envFile"], diagnostic: text });
      return {};
    }
    if (!hasOnlyVariables(text)) {
      const reason = "it has a line that is not NAME=value";
      const values = {
        field: this.label(["envFile"]),
        reason,
        cause: `the lines of ${pathsOf(this.context.platform ?? process.platform).basename(file)}`,
      };
      this.unresolved.push({ field: ["envFile"], diagnostic: diagnostic("gateway-value-invalid", values) });
    }
    return parseEnv(text) as Readonly<Record<string, string>>;
  }

  private label(field: Pointer): string {
    return fieldLabel(["servers", this.server, ...field]);
  }
}

function causeIn({ parts, source }: ConfigText): string {
  const references = parts.some((part) => typeof part !== "string") ? (source.match(/\$\{[^{}]*\}/g) ?? []) : [];
  return references.length === 0 ? "the configuration" : `the value of ${references.join(" and ")}`;
}

const withoutNul: Check = (value) => (value.includes("\0") ? "it contains a NUL character" : undefined);
const isFilled: Check = (value) => (value.trim() === "" ? "it is empty" : withoutNul(value));

const isHeaderValue: Check = (value) => {
  try {
    new Headers({ "x-value": value });
    return undefined;
  } catch {
    return "a header is one line, without control characters and characters beyond Latin-1";
  }
};

const isServerUrl: Check = (value) => {
  if (!URL.canParse(value)) return "it is not a URL";
  const { protocol, username, password } = new URL(value);
  if (protocol !== "http:" && protocol !== "https:") return "it does not begin with http:// or https://";
  return username === "" && password === "" ? undefined : "it contains a user or a password, which belong in headers";
};

/** Whether each line of a file of variables is `NAME=value`, a comment or empty: `parseEnv` skips others, or joins them with the next line. */
function hasOnlyVariables(text: string): boolean {
  // Values in quotes can have several lines.
  const lines = text.replace(/=\s*(["'`])[^]*?\1/g, "=").split(/\r?\n/);
  return lines.every((line) => /^(?:\s*$|\s*#|\s*(?:export\s+)?[^\s=]+\s*=)/.test(line));
}
