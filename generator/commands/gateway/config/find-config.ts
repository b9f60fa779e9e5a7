import { existsSync, statSync } from "node:fs";
import { fail } from "../../../shared/diagnostics/diagnostic.js";
import { configPaths, type Machine } from "../../../shared/hosts/host-paths.js";
import { type HostId, hosts } from "../../../shared/hosts/hosts.js";

/** A host whose configuration the gateway can find. */
export type ConfigHost = (typeof configHosts)[number];

/** The values of `--from`. */
export const configHosts = ["claude", "claude-code", "cursor", "vscode"] as const satisfies readonly HostId[];

/** Where to look for configurations. */
export interface FindConfigOptions extends Machine {
  readonly exists?: (path: string) => boolean;
}

export interface FoundConfig {
  readonly path: string;
  /** The value of `${workspaceFolder}`. */
  readonly workspaceFolder: string;
}

/**
 * Finds the configuration of a host: that of the project, or else that of the user.
 * @throws DiagnosticError gateway-config-not-found, with the paths
 */
export function findConfig(host: ConfigHost, options: FindConfigOptions = {}): FoundConfig {
  const { exists = isFile, cwd = process.cwd() } = options;
  const paths = configPaths(host, options);
  const path = paths.find((one) => exists(one));
  if (path === undefined) return fail("gateway-config-not-found", { host: hosts[host].title, paths: paths.join(", ") });
  return { path, workspaceFolder: cwd };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
