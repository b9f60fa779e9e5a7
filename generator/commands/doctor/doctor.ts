import { DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { errnoText } from "../../shared/files/file-errors.js";
import type { Machine } from "../../shared/hosts/host-paths.js";
import { credentialsPath } from "../../shared/sessions/credentials-path.js";
import { readTarget } from "../../shared/sessions/read-target.js";
import { checkEntry } from "./checks/built-entry.js";
import { checkCredentials } from "./checks/credentials.js";
import { checkGenerated } from "./checks/generated-code.js";
import { checkHosts } from "./checks/host-configs.js";
import { checkModuleType } from "./checks/module-type.js";
import { checkNode } from "./checks/node-version.js";
import { checkPeers } from "./checks/optional-peers.js";
import { checkPackages } from "./checks/package-versions.js";
import { checkPort } from "./checks/port.js";
import { checkServerOutput } from "./checks/server-output.js";
import { checkTsconfig } from "./checks/tsconfig.js";
import type { CheckResult, DoctorCheck, DoctorFinding } from "./finding.js";
import { readProject } from "./project.js";

export interface DoctorOptions {
  /** A folder of the project. Default: the working directory. */
  readonly folder?: string;
  /**
   * The program of a server of stdio and its arguments, or the `.js` file of one, which is started in `folder`; or the `.json` file of a
   * configuration with one server. Default: no server is started.
   */
  readonly command?: readonly string[];
  /** A port of the loopback interface that a server over HTTP will use. Default: 3000. */
  readonly port?: number;
  /** The version of Node. Default: that of this process. */
  readonly node?: string;
  /** The machine whose hosts and credentials are examined. Default: this one. */
  readonly machine?: Machine;
}

export interface DoctorReport {
  /** The folder of the project: that of the nearest `package.json`. */
  readonly folder: string;
  /** In the order of the checks. Checks that do not apply are left out. */
  readonly findings: readonly DoctorFinding[];
}

/**
 * Looks for usual mistakes in a project, on the machine, and in a server. Changes nothing, and needs no network.
 * @throws DiagnosticError target-*, config-* for a command that does not name a server
 */
export async function doctor(options: DoctorOptions = {}): Promise<DoctorReport> {
  const { folder = process.cwd(), command, port = 3000, node = process.versions.node, machine = {} } = options;
  const project = readProject(folder);
  const server = command && readTarget({ target: command }).target;
  const checks: Readonly<Record<DoctorCheck, () => CheckResult | undefined | Promise<CheckResult>>> = {
    node: () => checkNode(project, node),
    packages: () => checkPackages(project),
    "generated-code": () => checkGenerated(project),
    tsconfig: () => checkTsconfig(project),
    "module-type": () => checkModuleType(project),
    entry: () => checkEntry(project),
    peers: () => checkPeers(project),
    "server-output": () => server && checkServerOutput(server.kind === "stdio" ? { cwd: folder, ...server } : server),
    port: () => checkPort(port),
    hosts: () => checkHosts({ cwd: project.folder, ...machine }),
    credentials: () => checkCredentials(credentialsPath(machine.env, machine.platform, machine.home)),
  };
  const findings: DoctorFinding[] = [];
  for (const [name, run] of Object.entries(checks)) {
    const check = name as DoctorCheck;
    const result = await resultOf(run);
    if (typeof result === "string") findings.push({ check, level: "ok", message: result });
    else findings.push(...(result ?? []).map((found) => ({ check, ...found })));
  }
  return { folder: project.folder, findings };
}

/** A file that cannot be read is a finding, and the other checks go on. */
async function resultOf(run: () => CheckResult | undefined | Promise<CheckResult>): Promise<CheckResult | undefined> {
  try {
    return await run();
  } catch (error) {
    const reason = error instanceof DiagnosticError ? error.diagnostics[0]?.message : errnoText(error);
    if (reason === undefined) throw error;
    const message = `the check cannot be completed: ${reason}`;
    return [{ level: "warning", message, remedy: "check the file and its permissions" }];
  }
}
