import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { AuthorizationError } from "@mcpwright/runtime/auth";
import { FileCredentialStore } from "@mcpwright/runtime/auth/node";
import { diagnostic, fail } from "../../shared/diagnostics/diagnostic.js";
import { credentialsPath } from "../../shared/sessions/credentials-path.js";
import type { LoginUser } from "../../shared/sessions/login-user.js";
import { describeServer } from "./config/describe-server.js";
import { quoteName } from "./config/labels.js";
import type { GatewaySourceOptions } from "./gateway-source.js";
import type { ServerConfig, StdioServerConfig } from "./config/gateway-config.js";

/** How the user approves commands: in advance, or on a terminal. With neither, only those that were approved before start. */
export interface ApprovalOptions extends LoginUser {
  readonly isApproved: boolean;
}

/**
 * Remembers which commands of imported configurations the user has approved: by a digest of the configuration's path, the command, its
 * arguments, working directory and names of variables. A command that changes in one of them needs another approval.
 */
export class ApprovedCommands {
  readonly #store: FileCredentialStore;

  /** @param credentials the file beside which the approvals are kept */
  constructor(
    credentials: string,
    private readonly config: string,
    { tell }: LoginUser,
  ) {
    this.#store = new FileCredentialStore(join(dirname(credentials), "approved-commands.json"), {
      onerror: (error) => tell(`warning: ${error.message}`),
    });
  }

  /**
   * Returns the servers that may start. The others are shown, and left out unless the user approves them.
   * @throws DiagnosticError credentials-unusable
   */
  async approve(servers: readonly ServerConfig[], options: ApprovalOptions): Promise<readonly ServerConfig[]> {
    const approved: ServerConfig[] = [];
    try {
      for (const server of servers)
        if (server.kind === "http" || (await this.#isApproved(server, options))) approved.push(server);
    } catch (error) {
      if (error instanceof AuthorizationError) fail("credentials-unusable", { reason: error.message });
      throw error;
    }
    return approved;
  }

  /** Whether a command was approved before. */
  async has(server: StdioServerConfig): Promise<boolean> {
    return (await this.#store.get(commandDigest(server, this.config))) !== undefined;
  }

  async #isApproved(server: StdioServerConfig, { isApproved, ask, tell }: ApprovalOptions): Promise<boolean> {
    if (await this.has(server)) return true;
    const values = { name: quoteName(server.name), path: this.config };
    tell(`${values.name} of ${values.path} starts this command:\n  ${describeServer(server).replaceAll("\n", "\n  ")}`);
    if (!isApproved) {
      if (!ask) {
        const { severity, id, message, hint } = diagnostic("gateway-command-unapproved", values);
        tell(`${severity}[${id}]: ${message}\n  ${hint}`);
        return false;
      }
      if (!/^y(es)?$/i.test(((await ask("It runs with your permissions. Start it? [y/N] ")) ?? "").trim())) {
        tell(`${values.name} is left out.`);
        return false;
      }
    }
    await this.#store.set(commandDigest(server, this.config), new Date().toISOString());
    return true;
  }
}

/**
 * Returns the servers of a host's configuration that may start: those of your own configurations need no approval.
 * @throws DiagnosticError credentials-unusable
 */
export async function approvedServers(
  path: string,
  servers: readonly ServerConfig[],
  { from, authorization = {} }: GatewaySourceOptions,
  options: ApprovalOptions,
): Promise<readonly ServerConfig[]> {
  if (from === undefined) return servers;
  const { credentials = credentialsPath() } = authorization;
  return new ApprovedCommands(credentials, path, options).approve(servers, options);
}

/** The digest by which an approval is remembered. Values of variables are not part of it: they may be secrets. */
export function commandDigest({ command, args, cwd, env, envFile }: StdioServerConfig, config: string): string {
  const parts = [
    resolve(config),
    [command, ...args].map(({ source }) => source),
    cwd?.source ?? null,
    Object.keys(env).sort(),
    envFile?.source ?? null,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
