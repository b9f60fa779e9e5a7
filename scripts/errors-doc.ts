/** Prints docs/reference/errors from the tables of the tests with invalid input. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { clientRows, openingRows, type Outcome } from "../test/hostile/client-table.js";
import { type HttpReply, httpRows, httpScenarios } from "../test/hostile/http-table.js";
import { ABSENT, type Case, type Opening, type Reply, REVISIONS, rows, scenarios } from "../test/hostile/table.js";

const root = join(import.meta.dirname, "..");
const folder = join(root, "docs/reference/errors");

interface Page {
  readonly file: string;
  readonly title: string;
  readonly intro: string;
  /** Heading -> table. */
  readonly sections: ReadonlyMap<string, string>;
}

const pages: readonly Page[] = [
  {
    file: "server.md",
    title: "Server: invalid messages",
    intro: "Look up here what a server replies to input that is not a valid JSON-RPC message.",
    sections: serverSections([
      "Malformed and oversized lines",
      "Invalid JSON-RPC messages",
      "Request ids",
      "Batches",
      "Responses without a request",
    ]),
  },
  {
    file: "server-requests.md",
    title: "Server: invalid requests and notifications",
    intro:
      "Look up here what a server replies to valid JSON-RPC messages with a wrong method, wrong metadata or wrong params.",
    sections: serverSections(["Methods", "Opening and metadata", "Params", "Cancellation and progress"]),
  },
  {
    file: "server-handlers.md",
    title: "Server: failing handlers, requestState and limits",
    intro:
      "Look up here what a client gets when a handler fails, when a `requestState` is not valid, and when a connection breaks or reaches a limit.",
    sections: new Map([
      ...serverSections(["Failing handlers", "requestState"]),
      ["Closed connections and limits", scenarioTable(Object.values(scenarios))],
    ]),
  },
  {
    file: "http.md",
    title: "Server: invalid HTTP requests",
    intro:
      "Look up here what a server replies to invalid HTTP requests. For the messages in their bodies, see [invalid messages](server.md) and [invalid requests](server-requests.md). “No response” means that the server waits for more input.",
    sections: new Map([
      ...groups(httpRows).map(([group, members]): [string, string] => [
        group,
        table(
          ["Input", "Response", "Source"],
          members.map(({ input, replies, source }) => [input, httpAnswer(replies), source]),
        ),
      ]),
      ["Several requests or connections", scenarioTable(Object.values(httpScenarios))],
    ]),
  },
  {
    file: "client.md",
    title: "Client: invalid messages",
    intro:
      "Look up here what a client does with messages from a server that are invalid or unexpected. Unexpected messages and requests come before the valid response to a call.",
    sections: new Map([
      ...clientSections(["Invalid responses", "Unexpected messages", "Requests from the server"]),
      [
        "Responses to initialize",
        table(
          ["The server replies with", "Outcome", "Source"],
          openingRows.map(({ input, source, ...outcome }) => [
            input,
            `${result(outcome)}; the client closes the connection`,
            source,
          ]),
        ),
      ],
    ]),
  },
  {
    file: "client-results.md",
    title: "Client: invalid results",
    intro: "Look up here what a client does with results that do not match the schema, and which of them it tolerates.",
    sections: clientSections(["Invalid results", "Tolerated results", "Output schemas of tools"]),
  },
];

const index = [
  "# Errors",
  "Look up here what servers and clients do with invalid input, and what the error codes mean. To handle an error by its code:",
  example(),
  pages
    .map(({ file, title, sections }) => {
      const links = [...sections.keys()].map((name) => `[${name}](${file}#${anchor(name)})`);
      return `- [${title}](${file}): ${links.join(", ")}`;
    })
    .join("\n"),
  "Each row of these pages is a test in `test/hostile/`. `npx tsx scripts/errors-doc.ts` prints the pages from the tests.",
  "## What always holds",
  [
    "- The process and the connection stay open, unless a row states otherwise.",
    "- Other connections are not affected.",
    "- Errors that your handlers throw are not sent. They are passed to `onerror` or, without it, to `console.error`. There are two exceptions: the model gets the message of an error that a tool throws, and a `ProtocolError` is sent as the response.",
  ].join("\n"),
  "## How to read the tables",
  [
    "- **Revision**: the revision of the connection. “Before a session” means that no `initialize` has been received.",
    "- **reported**: an error is passed to `onerror`, with the message shown. **Also reported**: an error with the message of the response is passed to `onerror`.",
    "- **…** stands for any text.",
    "- **then** separates the responses to several requests.",
    "- **Source**: page and section of the specification. “Ours” marks behaviour that the specification leaves open.",
  ].join("\n"),
  "A server cannot copy an id that it cannot read. From 2025-11-25, and before a session, it replies with an error without `id`, and reports it. Earlier revisions require an id, so it only reports the error.",
  "## Codes",
  "Every error that `@mcpwright/runtime` throws is an `McpError` with `code` and `data`. The code of a `ProtocolError` is a number; the error is sent to the peer, or was received from it (`RemoteError`). The code of an `SdkError` is a string; the error is never sent.",
  "",
  "A message about params or a result that do not match the schema names the first three invalid members. `data.issues` lists up to eight: `path` (a JSON Pointer), `expected` and `received`. They name types, never values. The default entries do this; with a `/core` entry, pass the option `findIssues`.",
];

/** File name -> expected content. */
export async function errorDocuments(): Promise<ReadonlyMap<string, string>> {
  checkGroups();
  const codes = [
    table(["Code of `SdkError`", "Meaning"], catalogue(/\/\*\* (.+) \*\/\n {2}\| "(\w+)"/g, /^ {2}\| "/gm)),
    table(
      ["Code of `ProtocolError`", "Meaning"],
      catalogue(/\/\*\* (.+) \*\/\n {2}\w+: (-\d+),/g, /^ {2}\w+: -\d+,/gm),
    ),
    "2026-07-28 adds -32020 (HTTP headers do not match the body), -32021 (`MissingRequiredClientCapabilityError`) and -32022 (`UnsupportedProtocolVersionError`). Up to 2025-11-25, -32002 means that the resource does not exist.",
  ];
  const documents = new Map([["README.md", await markdown([...index, ...codes])]]);
  for (const { file, title, intro, sections } of pages)
    documents.set(
      file,
      await markdown([
        `# ${title}`,
        `${intro} [How to read the tables](README.md#how-to-read-the-tables) explains the terms.`,
        ...[...sections].flatMap(([name, text]) => [`## ${name}`, text]),
      ]),
    );
  return documents;
}

async function markdown(parts: readonly string[]): Promise<string> {
  return format(parts.join("\n\n"), { ...(await resolveConfig(join(folder, "README.md"))), parser: "markdown" });
}

function example(): string {
  return `\`\`\`ts
import { McpError } from "@mcpwright/runtime";

try {
  await client.callTool({ name: "forecast" });
} catch (error) {
  if (error instanceof McpError && error.code === "REQUEST_TIMEOUT") console.error("no response in time");
  else throw error;
}
\`\`\``;
}

/** @throws Error when a group of the tables is on no page */
function checkGroups(): void {
  const printed = new Set(pages.flatMap(({ sections }) => [...sections.keys()]));
  const missing = [...rows, ...clientRows, ...httpRows].find(({ group }) => !printed.has(group));
  if (missing) throw new Error(`no page has the group ${missing.group}`);
}

function serverSections(names: readonly string[]): ReadonlyMap<string, string> {
  const shown = groups(rows.filter(({ undocumented }) => !undocumented));
  return chosen(names, shown, (members) =>
    table(
      ["Input", "Revision", "Response", "Source"],
      members.flatMap(({ input, cases, source }) =>
        cases.map((one, index) => [index === 0 ? input : "", openings(one.in), answer(one), index === 0 ? source : ""]),
      ),
    ),
  );
}

function clientSections(names: readonly string[]): ReadonlyMap<string, string> {
  return chosen(names, groups(clientRows), (members) =>
    table(
      ["The server sends", "Revision", "Outcome", "Source"],
      members.map(({ input, in: when, outcome, reported, sends, source }) => [
        input,
        openings(when),
        [result(outcome), ...(sends ?? []).map((sent) => `the client replies ${code(sent)}`), ...report(reported)].join(
          "; ",
        ),
        source,
      ]),
    ),
  );
}

/** The tables of some groups. */
function chosen<Row>(
  names: readonly string[],
  all: readonly (readonly [string, readonly Row[]])[],
  print: (members: readonly Row[]) => string,
): ReadonlyMap<string, string> {
  return new Map(
    names.map((name): [string, string] => {
      const found = all.find(([group]) => group === name);
      if (!found) throw new Error(`there is no group ${name}`);
      return [name, print(found[1])];
    }),
  );
}

function scenarioTable(all: readonly { readonly input: string; readonly outcome: string; readonly source: string }[]) {
  return table(
    ["Input", "Outcome", "Source"],
    all.map(({ input, outcome, source }) => [input, outcome, source]),
  );
}

/** The anchor of a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

function httpAnswer(replies: readonly HttpReply[]): string {
  const texts = replies.map(({ status, code: number, message = "", result: sent }) => {
    if (sent !== undefined) return `${status} with a result`;
    return number === undefined ? `${status}` : `${status}, ${number} ${code(message)}`;
  });
  return texts.join(", then ") || "no response";
}

function groups<Row extends { readonly group: string }>(all: readonly Row[]): (readonly [string, readonly Row[]])[] {
  const names = [...new Set(all.map(({ group }) => group))];
  return names.map((name) => [name, all.filter(({ group }) => group === name)]);
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

/** Escapes markup outside of code, such as the underscores of `__proto__`. */
function cell(text: string): string {
  const parts = text.split(/(`+[^`]*`+)/);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[_*<>[\]]/g, "\\$&")))
    .join("")
    .replaceAll("|", "\\|");
}

function code(text: string): string {
  return `\`${text}\``;
}

function openings(when: readonly Opening[]): string {
  const named = REVISIONS.filter((revision) => when.includes(revision));
  const [first, last] = [named[0] ?? "", named.at(-1) ?? ""];
  const run = REVISIONS.indexOf(last as never) - REVISIONS.indexOf(first as never) + 1 === named.length;
  const revisions =
    named.length === REVISIONS.length ? "all" : run && named.length > 2 ? `${first} to ${last}` : named.join(", ");
  return [revisions, ...(when.includes("unopened") ? ["before a session"] : [])].filter(Boolean).join("; ");
}

function answer({ replies, together, reported }: Case): string {
  const texts = [...new Set(replies.map(reply))];
  const each = texts.length < replies.length;
  if (texts.length === 0) texts.push("no response");
  const same = replies.some((one) => "message" in one && one.message === reported);
  const how = [...(each ? ["for each request"] : []), ...(together ? ["in one batch"] : [])];
  return [[texts.join(", then "), ...how].join(" "), ...(same ? ["also reported"] : report(reported))].join("; ");
}

function reply(one: Reply): string {
  if ("result" in one) return one.result === "…" ? "a result" : `the result ${code(one.result)}`;
  return `${one.code} ${code(one.message)}${one.id === ABSENT ? " without `id`" : ""}`;
}

function report(reported: string | undefined): string[] {
  return reported === undefined ? [] : [reported === "…" ? "reported" : `reported: ${code(reported)}`];
}

function result(outcome: Outcome): string {
  if ("code" in outcome) return `the call fails: ${code(`${outcome.code}: ${outcome.message}`)}`;
  return "count" in outcome ? `the call returns ${count(outcome.count)}` : "the call succeeds";
}

function count(items: number): string {
  return items === 1 ? "1 item" : `${items.toLocaleString("en")} items`;
}

/** The meaning of each code in the source. */
function catalogue(documented: RegExp, all: RegExp): string[][] {
  const source = readFileSync(join(root, "runtime/src/jsonrpc/errors.ts"), "utf8");
  const found = [...source.matchAll(documented)].map(([, meaning = "", name = ""]) => [code(name), meaning]);
  if (found.length !== source.match(all)?.length)
    throw new Error("a code in runtime/src/jsonrpc/errors.ts has no doc comment");
  return found;
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of await errorDocuments()) writeFileSync(join(folder, name), text);
}
