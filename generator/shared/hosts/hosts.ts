/** The hosts whose configurations mcpwright reads and writes, and where and how each of them keeps its servers. */
export type HostId = "claude" | "claude-code" | "vscode" | "cursor" | "windsurf" | "devin" | "zed" | "gemini" | "codex";

/** The folders below which hosts keep their files; `host-paths.ts` finds them. */
export type BaseFolder =
  "project" | "home" | "applications" | "claudePackage" | "claudeCode" | "claudeCodeHome" | "devin" | "zed" | "codex";

export type HostPlace = readonly [base: BaseFolder, ...segments: readonly string[]];

/** One file for the servers of a user. */
export interface UserPlace {
  readonly file: HostPlace;
  /** A file or folder that exists where the host was used. */
  readonly marker: HostPlace;
  /** Whether the file is one that `install` creates only where the marker exists. */
  readonly isVariant?: boolean;
}

export interface Host {
  /** The name for people. */
  readonly title: string;
  readonly format: "json" | "toml";
  /** The member of the document with the servers by name. */
  readonly servers: string;
  /** The file for the servers of a project, if the host has one. */
  readonly project?: HostPlace;
  /** The files for the servers of a user, in the order in which they are tried. */
  readonly user: readonly UserPlace[];
  /** The member of the user's file with an object for each project, by its folder, which can have servers of its own. */
  readonly projects?: string;
  /** Members of the entry of a command besides `command` and `args`. */
  readonly command: Readonly<Record<string, string>>;
  /** The member for the URL, and further members; undefined when the host only starts commands. */
  readonly url: { readonly member: string; readonly further: Readonly<Record<string, string>> } | undefined;
  /**
   * How an entry refers to a variable of the host's environment: as a value of `env` in which `NAME` stands for the variable, or
   * by its name in a list. Undefined when the host has no such references.
   */
  readonly variable: { readonly value: string } | { readonly list: string } | undefined;
  /** What the user does after a change. */
  readonly afterwards: string;
}

const mcpServers = { format: "json", servers: "mcpServers" } as const;

/** Sources: the documentation of each host, as of November 2026. */
export const hosts: Readonly<Record<HostId, Host>> = {
  claude: {
    title: "Claude Desktop",
    ...mcpServers,
    user: [
      {
        file: ["claudePackage", "Claude", "claude_desktop_config.json"],
        marker: ["claudePackage", "Claude"],
        isVariant: true,
      },
      { file: ["applications", "Claude", "claude_desktop_config.json"], marker: ["applications", "Claude"] },
    ],
    command: {},
    url: undefined,
    variable: undefined,
    afterwards: "Restart Claude Desktop.",
  },
  "claude-code": {
    title: "Claude Code",
    ...mcpServers,
    project: ["project", ".mcp.json"],
    user: [{ file: ["claudeCode", ".claude.json"], marker: ["claudeCodeHome"] }],
    projects: "projects",
    command: { type: "stdio" },
    url: { member: "url", further: { type: "http" } },
    variable: { value: "${NAME}" },
    afterwards: "Start Claude Code again; /mcp shows its servers.",
  },
  vscode: {
    title: "VS Code",
    format: "json",
    servers: "servers",
    project: ["project", ".vscode", "mcp.json"],
    user: [
      { file: ["applications", "Code", "User", "mcp.json"], marker: ["applications", "Code"] },
      {
        file: ["applications", "Code - Insiders", "User", "mcp.json"],
        marker: ["applications", "Code - Insiders"],
        isVariant: true,
      },
    ],
    command: { type: "stdio" },
    url: { member: "url", further: { type: "http" } },
    variable: { value: "${env:NAME}" },
    afterwards: "VS Code asks whether you trust the server when it starts.",
  },
  cursor: {
    title: "Cursor",
    ...mcpServers,
    project: ["project", ".cursor", "mcp.json"],
    user: [{ file: ["home", ".cursor", "mcp.json"], marker: ["home", ".cursor"] }],
    command: {},
    url: { member: "url", further: {} },
    variable: { value: "${env:NAME}" },
    afterwards: "Enable the server in the settings of Cursor.",
  },
  windsurf: {
    title: "Windsurf",
    ...mcpServers,
    user: [{ file: ["home", ".codeium", "windsurf", "mcp_config.json"], marker: ["home", ".codeium", "windsurf"] }],
    command: {},
    url: { member: "serverUrl", further: {} },
    variable: { value: "${env:NAME}" },
    afterwards: "Refresh the servers in Windsurf. Its successor, Devin Desktop, has another file: install devin.",
  },
  devin: {
    title: "Devin Desktop",
    ...mcpServers,
    project: ["project", ".devin", "mcp_config.json"],
    user: [{ file: ["devin", "mcp_config.json"], marker: ["devin"] }],
    command: {},
    url: { member: "url", further: {} },
    variable: undefined,
    afterwards: "Devin Desktop shows the server in the list of its MCP servers.",
  },
  zed: {
    title: "Zed",
    format: "json",
    servers: "context_servers",
    project: ["project", ".zed", "settings.json"],
    user: [{ file: ["zed", "settings.json"], marker: ["zed"] }],
    command: {},
    url: { member: "url", further: {} },
    variable: undefined,
    afterwards: "Zed starts the server when its settings change.",
  },
  gemini: {
    title: "Gemini CLI",
    ...mcpServers,
    project: ["project", ".gemini", "settings.json"],
    user: [{ file: ["home", ".gemini", "settings.json"], marker: ["home", ".gemini"] }],
    command: {},
    url: { member: "httpUrl", further: {} },
    variable: { value: "${NAME}" },
    afterwards: "Start Gemini CLI again; /mcp shows its servers.",
  },
  codex: {
    title: "Codex",
    format: "toml",
    servers: "mcp_servers",
    project: ["project", ".codex", "config.toml"],
    user: [{ file: ["codex", "config.toml"], marker: ["codex"] }],
    command: {},
    url: { member: "url", further: {} },
    variable: { list: "env_vars" },
    afterwards: "Start Codex again; /mcp shows its servers.",
  },
};

export const hostIds = Object.keys(hosts) as readonly HostId[];
