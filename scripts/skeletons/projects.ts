/** A project to create, and how to use it. */
export interface Project {
  readonly name: string;
  /** The options of `mcpwright new`. */
  readonly options: readonly string[];
  /** What `mcpwright inspect` is asked, in the folder of the project and in both eras, and what it prints. */
  readonly inspected?: readonly Inspected[];
  /** Of a server about notes: the arguments that start it, for each transport, besides the port. */
  readonly reached?: readonly Reached[];
  /** Whether the Inspector uses all features instead of one of each kind. All servers about notes have the same features. */
  readonly thorough?: boolean;
  /** Whether its server accepts only requests with an access token. */
  readonly isProtected?: boolean;
}

export interface Inspected {
  readonly args: readonly string[];
  readonly prints: string;
}

export interface Reached {
  readonly transport: "stdio" | "http" | "sse";
  readonly args: readonly string[];
}

const stdio: Reached = { transport: "stdio", args: [] };

/** Every start, and the server about notes over every transport. */
export const projects: readonly Project[] = [
  {
    name: "minimal",
    options: ["--yes"],
    inspected: [{ args: ["build/main.js", "--call", "greet", "--arg", "name=Ada"], prints: "Hello, Ada!" }],
  },
  { name: "server", options: ["--start", "server"], reached: [stdio], thorough: true },
  { name: "http-server", options: ["--start", "http"], reached: [{ transport: "http", args: [] }], thorough: true },
  {
    name: "legacy-server",
    options: ["--start", "http", "--legacy-sse"],
    reached: [
      { transport: "http", args: [] },
      { transport: "sse", args: [] },
    ],
  },
  {
    name: "both-server",
    options: ["--start", "http", "--stdio", "--name", "@skeletons/both"],
    reached: [stdio, { transport: "http", args: ["--http"] }],
  },
  {
    name: "all-ways-server",
    options: ["--start", "http", "--stdio", "--legacy-sse"],
    reached: [stdio, { transport: "http", args: ["--http"] }, { transport: "sse", args: ["--http"] }],
  },
  {
    name: "protected-server",
    options: ["--start", "http-auth"],
    reached: [{ transport: "http", args: [] }],
    thorough: true,
    isProtected: true,
  },
  {
    name: "all-ways-protected-server",
    options: ["--start", "http-auth", "--stdio", "--legacy-sse"],
    reached: [
      { transport: "http", args: ["--http"] },
      { transport: "sse", args: ["--http"] },
    ],
    isProtected: true,
  },
  { name: "server-with-skills", options: ["--start", "server", "--skills"], reached: [stdio] },
  {
    name: "tasks",
    options: ["--start", "tasks"],
    inspected: [
      {
        args: ["build/main.js", "--call", "write_report", "--arg", "pages=2", "--task"],
        prints: "The report is written. Pages: 2",
      },
    ],
  },
  {
    name: "skills",
    options: ["--start", "skills"],
    inspected: [
      { args: ["build/main.js", "--read", "skill://write-changelog/SKILL.md"], prints: "Say what users notice" },
    ],
  },
  { name: "queue", options: ["--start", "cluster"] },
  {
    name: "switch",
    options: ["--start", "gateway"],
    inspected: [{ args: ["build/main.js", "--call", "dice_roll", "--arg", "sides=1"], prints: "1" }],
  },
  {
    name: "brew",
    options: ["--start", "extension"],
    inspected: [{ args: ["build/main.js", "--call", "brew_tea"], prints: "Done: brew_tea" }],
  },
  { name: "chat", options: ["--start", "client"] },
];
