/** The defaults that the guides and the docstrings name are those of the code. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const units: Readonly<Record<string, number>> = { MiB: 2 ** 20, Mi: 2 ** 20, s: 1_000, min: 60_000 };

/** Reads `10_000`, `2 ** 22`, `1,000 each`, `4 MiB` or `30 min`; times in milliseconds. */
function toNumber(text: string): number {
  const [, digits = "", power, unit = ""] = /^`?([\d_,.]+)(?: \*\* (\d+))?(?: ([A-Za-z]+))?/.exec(text.trim()) ?? [];
  const base = Number(digits.replace(/[_,]/g, ""));
  return power === undefined ? base * (units[unit] ?? 1) : base ** Number(power);
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The default in a table, or in a sentence: `ttlMs` (default: 300,000). */
function inGuide(page: string, option: string): number {
  const text = read(`docs/guide/${page}.md`);
  const name = `\`${option}\``;
  const row = new RegExp(`^\\| ${name} +\\| ([^|]+?) +\\|`, "m").exec(text);
  return toNumber(row?.[1] ?? new RegExp(`${name}[^.(]*\\(default: ([^)]+)\\)`).exec(text)?.[1] ?? "");
}

/** The default that the docstring of an option names. */
function inDocstring(file: string, member: string): number {
  const [before = ""] = read(`runtime/src/${file}.ts`).split(new RegExp(`\\n *readonly ${member}\\??:`));
  const docstring = before.slice(before.lastIndexOf("/**")).replace(/\s*\n\s*\*\s*/g, " ");
  return toNumber(/Default: (.+)/.exec(docstring)?.[1] ?? "");
}

/** The default that the code uses: `option = 5` or `option ?? 5`, also by a constant of the same file. */
function inCode(file: string, member: string): number | undefined {
  const text = read(`runtime/src/${file}.ts`);
  const values = [...text.matchAll(new RegExp(`\\b${member}\\)? (?:=|\\?\\?) ([\\w* ]+(?:\\.\\d+)?)`, "g"))].map(
    ([, value = ""]) => {
      const isName = /^[a-z]\w* *$/i.test(value);
      const constant = isName ? new RegExp(`const ${value.trim()} = (.*);`).exec(text)?.[1] : undefined;
      return toNumber(constant ?? value);
    },
  );
  return values.find((value) => value > 0);
}

const http = "http-server/options";
const client = "http-client/options";

/** A page, an option, the file of its docstring, and the file of its default with the name there if it differs. */
const rows: readonly (readonly [page: string, option: string, docs: string, code: string])[] = [
  ["http-options", "maxBodyBytes", http, "http-server/endpoint"],
  ["http-options", "maxDepth", http, "jsonrpc/parse-json"],
  ["http-options", "maxValues", http, "http-server/endpoint"],
  ["http-options", "maxRequests", http, "http-server/client-limits"],
  ["http-options", "maxHeldBytes", http, "http-server/client-limits"],
  ["http-options", "clientShare", http, "http-server/client-limits"],
  ["http-options", "maxStreams", http, "http-server/open-streams"],
  ["http-options", "keepAliveMs", http, "http-server/open-streams"],
  ["http-options", "maxQueuedBytes", http, "http-server/endpoint"],
  ["http-options", "writeTimeoutMs", http, "http-server/endpoint"],
  ["http-options", "sessions.max", http, "http-server/http-sessions"],
  ["http-options", "sessions.idleMs", http, "http-server/http-sessions"],
  ["http-servers", "graceMs", "node/serve-http", "server/served-connection"],
  ["http-streams", "resumption.ttlMs", "http-server/resumption-options", "backplane/logged-streams"],
  ["http-streams", "resumption.maxEvents", "http-server/resumption-options", "backplane/logged-streams"],
  ["http-streams", "maxSize", "backplane/memory/memory-backplane", "backplane/memory/memory-backplane"],
  ["cluster-redis", "timeoutMs", "redis/redis-backplane", "redis/redis-backplane"],
  ["http-options", "suspension.max", "server/suspension-options", "http-server/client-limits"],
  ["http-options", "limits.requestsInFlight", "connection/limits", "connection/base-connection"],
  ["http-options", "limits.batchLength", "connection/limits", "jsonrpc/batch#maxLength"],
  ["http-options", "limits.subscriptions", "connection/limits", "server/served-connection"],
  ["http-options", "limits.sessionDataLength", "connection/limits", "server/json-session-store#maxLength"],
  ["transports", "maxMessageBytes", "stdio/options", "stdio/line-reader"],
  ["transports", "maxDepth", "stdio/options", "jsonrpc/parse-json"],
  ["transports", "maxValues", "stdio/options", "jsonrpc/parse-json"],
  ["transports", "maxQueuedBytes", "stdio/options", "stdio/line-writer"],
  ["http-clients", "maxMessageBytes", client, `${client}#defaultMaxMessageBytes`],
  ["http-clients", "maxDepth", client, "jsonrpc/parse-json"],
  ["http-clients", "maxValues", client, "jsonrpc/parse-json"],
  ["http-clients", "maxRetryWaitMs", client, `${client}#defaultMaxRetryWaitMs`],
  ["deploying", "timeoutMs", "operations/health-checks", "operations/health-checks"],
  ["deploying", "maxAgeMs", "operations/health-checks", "operations/health-checks"],
  ["rate-limits", "storeTimeoutMs", "rate-limits/rate-limits", "rate-limits/rate-limits"],
  ["rate-limits", "maxClients", "rate-limits/rate-limits", "rate-limits/rate-limits"],
  ["server-options", "pageSize", "server/mcp-server-options", "server/registry"],
  ["task-stores", "maxTasks", "tasks/store/task-limits", "tasks/store/task-limits"],
  ["task-stores", "maxTasksPerOwner", "tasks/store/task-limits", "tasks/store/task-limits"],
  ["task-stores", "maxSize", "tasks/store/task-limits", "tasks/store/task-limits"],
  ["task-stores", "maxSizePerOwner", "tasks/store/task-limits", "tasks/store/task-limits"],
  ["task-stores", "busyTimeoutMs", "tasks/sqlite/sqlite-task-store", "tasks/sqlite/sqlite-task-store"],
  ["task-stores", "pollIntervalMs", "tasks/sqlite/sqlite-task-store", "tasks/sqlite/sqlite-task-store"],
  ["user-input", "suspension.max", "server/suspension-options", "server/stateless/suspended-calls"],
];

test.each(rows)("%s.md: %s", (page, option, docs, code) => {
  const member = option.split(".").at(-1) ?? "";
  const documented = inGuide(page, option);
  expect(documented).toBeGreaterThan(0);
  const [file = "", name = member] = code.split("#");
  expect([inDocstring(docs, member), inCode(file, name)]).toEqual([documented, documented]);
});
