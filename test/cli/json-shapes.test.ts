import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { loginPlace } from "../generator/commands/login/logged-in.js";
import { createGateway } from "../../runtime/src/gateway.js";
import { conversionLosses } from "../../runtime/src/gateway/losses.js";
import { weather as weatherServer } from "../generator/shared/sessions/weather.js";
import { urlOf, weatherCommand } from "../generator/shared/sessions/places.js";
import { sandbox } from "../generator/shared/files/sandbox.js";
import { cli, root } from "./command-line.js";
import { stubNetwork } from "./stub-network.js";
import { withUser } from "./with-user.js";

const schema = join(root, "schema/2026-07-28/schema.ts");
const talk = [
  {
    from: "client",
    message: { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25" } },
  },
  { from: "server", message: { jsonrpc: "2.0", id: 7, result: {} } },
];
const tools =
  "/**\n * Adds.\n * @tool\n */\nexport async function add({ a }: { a: number }): Promise<number> { return a; }\n";

function place(): string {
  const folder = sandbox();
  const later = readFileSync(schema, "utf8").replaceAll("2026-07-28", "2030-01-01");
  mkdirSync(join(folder, "official"));
  mkdirSync(join(folder, "official-sdk"));
  writeFileSync(
    join(folder, "official-sdk/package.json"),
    JSON.stringify({ dependencies: { "@modelcontextprotocol/server": "^2.0.0" } }),
  );
  writeFileSync(join(folder, "official/schema.ts"), later);
  mkdirSync(join(folder, "bundled"));
  const facts = { name: "weather", version: "1.0.0", description: "Weather", author: "Ada", main: "weather.mjs" };
  writeFileSync(join(folder, "bundled/package.json"), JSON.stringify(facts));
  copyFileSync(weatherCommand()[0] ?? "", join(folder, "bundled/weather.mjs"));
  writeFileSync(join(folder, "talk.jsonl"), talk.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  writeFileSync(
    join(folder, "tools.ts"),
    tools.replace("Promise<number>", "Promise<{ sum: number }>").replace("return a", "return { sum: a }"),
  );
  return folder;
}

const weather = (): readonly string[] => ["--", ...weatherCommand()];

/** A command line that prints complete JSON, and the depth to which its shape is printed; FOLDER is that of `place`, URL a protected server, GATEWAY that of a gateway. */
const table: readonly (readonly [verb: string, line: () => readonly string[], depth?: number])[] = [
  ["generate", () => ["2024-11-05", "--only", "constants", "--out", "FOLDER/g", "--check", "--json"]],
  ["revisions", () => ["--json"]],
  ["model", () => ["2026-07-28"], 3],
  ["compare-schema", () => [schema, join(root, "generated/2025-11-25/schema.json"), "--format", "json"]],
  ["diff", () => ["2025-11-25", "2026-07-28", "--format", "json"]],
  ["explain", () => ["CallToolRequest", "--json"]],
  [
    "vendor",
    () => ["2030-01-01", "--from", "FOLDER/official/schema.ts", "--to", "FOLDER/s", "--out", "FOLDER/v", "--json"],
  ],
  [
    "vendor",
    () => [
      ...["--extension", join(root, "test/generator/pipeline/fixtures/rank")],
      ...["--to", "FOLDER/s", "--out", "FOLDER/ve", "--json"],
    ],
  ],
  ["outdated", () => ["--to", "FOLDER/s", "--json"]],
  ["compile", () => ["FOLDER/tools.ts", "--check", "--json"]],
  ["new", () => ["FOLDER/project", "--yes", "--json"]],
  ["update", () => ["FOLDER/project", "--json"]],
  ["install", () => ["cursor", "--name", "notes", "--yes", "--json", "--", "node", "main.js"]],
  ["install", () => ["--list", "--json"]],
  ["doctor", () => ["FOLDER", "--json"]],
  ["bundle", () => ["FOLDER/bundled", "--env", "KEY=1", "--secret", "TOKEN", "--json"]],
  ["manifest", () => ["FOLDER/bundled", "--name", "io.github.ada/weather", "--json"]],
  ["migrate", () => ["FOLDER/official-sdk", "--force", "--json"]],
  ["inspect", () => ["--json", ...weather()]],
  ["inspect", () => ["--json", "--losses", "2025-03-26", "GATEWAY"]],
  ["inspect", () => ["--json", "--call", "get-forecast", "--arg", "city=Rome", ...weather()]],
  ["bind", () => ["--json", "--check", "--out", "FOLDER/client.ts", ...weather()]],
  ["validate", () => ["FOLDER/talk.jsonl", "--json"]],
  ["login", () => ["URL", "--json"]],
  ["logout", () => ["URL", "--json"]],
];

/** The responses of the network in which a revision and a package are newer; one of the files is missing. */
const newerThings = {
  "/contents/schema?ref=main": JSON.stringify([{ name: "2031-01-01", type: "dir" }]),
  "/main/schema/2031-01-01/schema.ts": readFileSync(schema, "utf8").replaceAll("2026-07-28", "2031-01-01"),
  "/latest": JSON.stringify({ version: "99.0.0" }),
};

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test("the shape of what every verb prints as JSON is kept", { timeout: 120_000 }, async () => {
  const folder = place();
  const { url } = await loginPlace();
  const gateway = await urlOf(
    createGateway({ servers: { weather: { server: weatherServer() } }, losses: conversionLosses() }),
  );
  const env = {
    HOME: folder,
    USERPROFILE: folder,
    XDG_CONFIG_HOME: folder,
    APPDATA: folder,
    BROWSER: "none",
    MCPWRIGHT_TOKEN: undefined,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  // Something is lost for this client, which the gateway records.
  await cli("inspect", "--revision", "2025-03-26", gateway);
  const told: string[] = [];
  for (const [verb, line, depth = 9] of table) {
    const words = line().map((word) => word.replace("FOLDER", folder).replace("URL", url).replace("GATEWAY", gateway));
    if (verb === "outdated") stubNetwork(newerThings);
    else vi.unstubAllGlobals();
    const { code, out, err } = verb === "login" ? await withUser(false, verb, ...words) : await cli(verb, ...words);
    expect([verb, code === 0 || code === 1]).toEqual([verb, true]);
    expect(err).toMatch(verb === "login" ? /^To log in, visit:\nhttp\S+\n$/ : /^$/);
    told.push(`${verb}\n${shapeOf(JSON.parse(out), depth).join("\n")}\n`);
  }
  await expect(told.join("\n")).toMatchFileSnapshot("fixtures/json-shapes.txt");
});

/** The keys of these objects depend on servers or on the protocol. */
const open: ReadonlySet<string> = new Set([
  "inputSchema",
  "outputSchema",
  "capabilities",
  "structuredContent",
  "_meta",
]);

/** One line for each member: its path, `?` when not every object has it, and the JSON types of its values. */
function shapeOf(root: unknown, depth: number): readonly string[] {
  const types = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  const objects = new Map<string, number>();
  const visit = (value: unknown, path: string, level: number): void => {
    const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    types.set(path, (types.get(path) ?? new Set()).add(type));
    counts.set(path, (counts.get(path) ?? 0) + 1);
    if (type !== "object" && type !== "array") return;
    if (level === 0 || open.has(path.slice(path.lastIndexOf(".") + 1))) return;
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`, level);
    else {
      objects.set(path, (objects.get(path) ?? 0) + 1);
      for (const [key, member] of Object.entries(value as object)) visit(member, `${path}.${key}`, level - 1);
    }
  };
  visit(root, "", depth);
  return [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, found]) => {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
      const isOptional = !path.endsWith("]") && path !== "" && (counts.get(path) ?? 0) < (objects.get(parent) ?? 0);
      return `  ${path === "" ? "." : path}${isOptional ? "?" : ""}: ${[...found].sort().join(" | ")}`;
    });
}
