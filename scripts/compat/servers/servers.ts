import { join } from "node:path";
import type { Question } from "./talk.js";

/** A published server, and questions to it besides those that every server gets. */
export interface PublishedServer {
  readonly name: string;
  /** Its program, relative to `node_modules`. */
  readonly program: string;
  readonly args: (folder: string) => readonly string[];
  readonly environment: (folder: string) => Readonly<Record<string, string>>;
  readonly questions: (folder: string) => readonly Question[];
}

const tool = (name: string, args: unknown): Question => ({ method: "tools/call", params: { name, arguments: args } });
const none = (): readonly string[] => [];
const noEnvironment = (): Readonly<Record<string, string>> => ({});

/** Servers on version 1 of the official SDK that need no network and no keys for these questions. */
export const servers: readonly PublishedServer[] = [
  {
    name: "@modelcontextprotocol/server-everything",
    program: "@modelcontextprotocol/server-everything/dist/index.js",
    args: none,
    environment: noEnvironment,
    questions: () => [
      tool("echo", { message: "hello" }),
      tool("echo", { message: 1 }),
      tool("get-sum", { a: 1, b: 2 }),
      tool("get-sum", { a: "1" }),
      tool("get-tiny-image", {}),
      tool("get-annotated-message", { messageType: "error", includeImage: true }),
      tool("get-structured-content", { location: "Chicago" }),
      tool("get-structured-content", { location: "Nowhere" }),
      tool("get-resource-reference", { resourceType: "Text", resourceId: 1 }),
      tool("get-resource-links", { count: 3 }),
      { method: "prompts/get", params: { name: "simple-prompt" } },
      { method: "prompts/get", params: { name: "args-prompt", arguments: { city: "Oslo" } } },
      { method: "prompts/get", params: { name: "args-prompt", arguments: {} } },
      {
        method: "completion/complete",
        params: {
          ref: { type: "ref/prompt", name: "completable-prompt" },
          argument: { name: "department", value: "E" },
        },
      },
      { method: "logging/setLevel", params: { level: "error" } },
      { method: "logging/setLevel", params: { level: "loud" } },
      { method: "resources/subscribe", params: { uri: "demo://resource/dynamic/text/1" } },
    ],
  },
  {
    name: "@modelcontextprotocol/server-filesystem",
    program: "@modelcontextprotocol/server-filesystem/dist/index.js",
    args: (folder) => [folder],
    environment: noEnvironment,
    questions: (folder) => [
      tool("list_allowed_directories", {}),
      tool("list_directory", { path: folder }),
      tool("write_file", { path: join(folder, "new.txt"), content: "one\ntwo\n" }),
      tool("read_text_file", { path: join(folder, "new.txt"), head: 1 }),
      tool("read_text_file", { path: join(folder, "new.txt"), head: 1, tail: 1 }),
      tool("read_text_file", { path: "/etc/hostname" }),
      tool("read_multiple_files", { paths: [join(folder, "new.txt"), join(folder, "absent.txt")] }),
      tool("edit_file", { path: join(folder, "new.txt"), edits: [{ oldText: "two", newText: "2" }], dryRun: true }),
      tool("edit_file", { path: join(folder, "new.txt"), edits: [{ oldText: "x" }] }),
      tool("create_directory", { path: join(folder, "inner") }),
      tool("move_file", { source: join(folder, "new.txt"), destination: join(folder, "inner/moved.txt") }),
      tool("search_files", { path: folder, pattern: "**/*.txt" }),
      tool("directory_tree", { path: folder }),
    ],
  },
  {
    name: "@modelcontextprotocol/server-memory",
    program: "@modelcontextprotocol/server-memory/dist/index.js",
    args: none,
    environment: (folder) => ({ MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
    questions: () => [
      tool("create_entities", {
        entities: [
          { name: "Ada", entityType: "person", observations: ["writes"] },
          { name: "Engine", entityType: "machine", observations: [] },
        ],
      }),
      tool("create_relations", { relations: [{ from: "Ada", to: "Engine", relationType: "programs" }] }),
      tool("add_observations", { observations: [{ entityName: "Ada", contents: ["counts"] }] }),
      tool("add_observations", { observations: [{ entityName: "Nobody", contents: ["x"] }] }),
      tool("read_graph", {}),
      tool("search_nodes", { query: "count" }),
      tool("open_nodes", { names: ["Engine"] }),
      tool("create_entities", { entities: "none" }),
      tool("delete_entities", { entityNames: ["Ada"] }),
      tool("read_graph", {}),
    ],
  },
  {
    name: "@modelcontextprotocol/server-sequential-thinking",
    program: "@modelcontextprotocol/server-sequential-thinking/dist/index.js",
    args: none,
    environment: () => ({ DISABLE_THOUGHT_LOGGING: "true" }),
    questions: () => [
      tool("sequentialthinking", { thought: "one", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }),
      tool("sequentialthinking", { thought: "two", nextThoughtNeeded: "false", thoughtNumber: "2", totalThoughts: 2 }),
      tool("sequentialthinking", { thought: "x", nextThoughtNeeded: true, thoughtNumber: 0, totalThoughts: 2 }),
    ],
  },
  {
    name: "mcp-server-commands",
    program: "mcp-server-commands/build/index.js",
    args: none,
    environment: noEnvironment,
    questions: () => [
      tool("run_command", { command: "echo hello" }),
      tool("run_command", { command: "exit 3" }),
      tool("run_script", { interpreter: "sh", script: "echo from a script" }),
      { method: "prompts/get", params: { name: "run_command", arguments: { command: "echo hello" } } },
    ],
  },
  {
    name: "mcp-mermaid",
    program: "mcp-mermaid/build/index.js",
    args: none,
    environment: noEnvironment,
    questions: () => [
      tool("generate_mermaid_diagram", { mermaid: "graph TD; A-->B", outputType: "svg_url" }),
      tool("generate_mermaid_diagram", { mermaid: "graph TD; A-->B", theme: "loud" }),
      tool("generate_mermaid_diagram", { mermaid: 1 }),
    ],
  },
  {
    name: "mcp-shrimp-task-manager",
    program: "mcp-shrimp-task-manager/dist/index.js",
    args: none,
    environment: (folder) => ({ DATA_DIR: join(folder, "tasks"), ENABLE_GUI: "false" }),
    questions: () => [
      tool("list_tasks", { status: "all" }),
      tool("list_tasks", { status: "some" }),
      tool("plan_task", { description: "Write a small program that counts words" }),
      tool("query_task", { query: "words" }),
    ],
  },
  {
    name: "@antv/mcp-server-chart",
    program: "@antv/mcp-server-chart/build/index.js",
    args: none,
    environment: () => ({ VIS_REQUEST_SERVER: "http://127.0.0.1:9/" }),
    questions: () => [
      tool("generate_pie_chart", { data: [{ category: "a", value: 1 }] }),
      tool("generate_pie_chart", { data: [{ category: "a", value: "many" }] }),
      tool("generate_line_chart", { data: [] }),
    ],
  },
  {
    name: "figma-developer-mcp",
    program: "figma-developer-mcp/dist/bin.js",
    args: () => ["--stdio", "--figma-api-key=none"],
    environment: () => ({ FRAMELINK_TELEMETRY: "off", DO_NOT_TRACK: "1" }),
    questions: () => [tool("get_figma_data", { fileKey: "no key!" }), tool("get_figma_data", { fileKey: 1 })],
  },
];
