/** The command with which a host starts a server. */
export interface HostCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The entry for the configuration of a host. */
export function hostConfiguration(name: string, server: HostCommand | { readonly url: string }): string {
  return JSON.stringify({ mcpServers: { [name]: server } }, undefined, 2);
}
