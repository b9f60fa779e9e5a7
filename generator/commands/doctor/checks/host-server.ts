import type { Host } from "../../../shared/hosts/hosts.js";
import type { Members } from "../project.js";

/** A server in the file of a host. */
export interface HostServer {
  readonly host: Host;
  readonly name: string;
  readonly path: string;
  /** Whether the host uses it in the project only, and starts it there. */
  readonly isProject: boolean;
  readonly entry: Members;
}
