/** Prints docs/reference/revisions/losses.md from the conversions between neighbouring revisions. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { format, resolveConfig } from "prettier";
import { buildSteps } from "../generator/pipeline/conversions/build-steps.js";
import type { ConversionRow, ConversionStep, RowKind } from "../generator/shared/model/conversion.js";
import type { ProtocolModel } from "../generator/shared/model/protocol.js";
import { knownRevisions } from "../generator/shared/sources/schema-folder.js";

const root = join(import.meta.dirname, "..");
const path = join(root, "docs/reference/revisions/losses.md");

const kinds: readonly (readonly [RowKind, string])[] = [
  ["same", "the same object"],
  ["refuse", "some values cannot be converted: sending them fails with an error that states the alternative"],
  ["fill", "a member that the other revision requires is added"],
  ["drop", "a member that the other revision does not expect, or reads differently, is removed"],
  ["substitute", "a value that the other revision does not know is replaced"],
  ["function", "a function rewrites a value"],
  [
    "unsupported",
    "the other revision does not have the message: sending it fails with an error that states the alternative",
  ],
];

const example = `\`\`\`ts
import { conversions } from "@mcpwright/protocol/conversions";

const convert = conversions.between("2026-07-28", "2025-06-18")?.("client", "results", "tools/list");
console.log(convert?.({ resultType: "complete", ttlMs: 0, cacheScope: "private", tools: [] })); // { tools: [] }
\`\`\``;

/** The expected content of the document. */
export async function lossesDocument(): Promise<string> {
  const models = knownRevisions().map(
    (revision) => JSON.parse(readFileSync(join(root, "generated", revision, "model.json"), "utf8")) as ProtocolModel,
  );
  const steps = buildSteps(models).steps.flatMap(({ up, down }) => [up, down]);
  const text = [
    "# Losses between revisions",
    "Look up here what a message loses when `@mcpwright/protocol/conversions` converts it to another revision:",
    example,
    "Between revisions that are not neighbours, a message is converted step by step. Most messages stay the same object; this page lists the others. Members that a revision does not know are kept unless they are listed here. The connection fills in the `_meta` members that every request carries. `npx tsx scripts/losses-doc.ts` prints this page from the conversions.",
    "## Kinds of conversion",
    table(
      ["Kind", "Meaning"],
      kinds.map(([kind, meaning]) => [kind, meaning]),
    ),
    "Each conversion is for the params of a method, its result, or a notification, as one side sends it. A conversion of several kinds is counted as the one that stands lowest in the table above.",
    table(
      ["From", "To", ...kinds.map(([kind]) => kind)],
      steps.map(({ from, to, rows }) => [
        from,
        to,
        ...kinds.map(([kind]) => String(rows.filter((row) => row.kind === kind).length)),
      ]),
    ),
    ...steps.flatMap(section),
  ].join("\n\n");
  return format(text, { ...(await resolveConfig(path)), parser: "markdown" });
}

function section({ from, to, rows }: ConversionStep): readonly string[] {
  const changes = new Map<string, { readonly cells: readonly string[]; readonly messages: string[] }>();
  for (const row of rows.filter(({ kind }) => kind !== "unsupported"))
    for (const { kind, at, text } of row.losses) {
      const id = `${kind} ${at}`;
      const known = changes.get(id) ?? { cells: [`\`${at}\``, kind, text], messages: [] };
      known.messages.push(messageOf(row));
      changes.set(id, known);
    }
  const gone = new Map<string, readonly string[]>();
  for (const { kind, part, sender, method, instead = "" } of rows)
    if (kind === "unsupported" && part !== "result")
      gone.set(`${sender} ${method}`, [`\`${method}\``, sender, instead]);
  return [
    `## From ${from} to ${to}`,
    ...(changes.size === 0 && gone.size === 0 ? ["Nothing changes."] : []),
    ...(changes.size > 0
      ? [
          table(
            ["Place", "Kind", "Loss", "Messages"],
            [...changes.values()].map(({ cells, messages }) => [...cells, [...new Set(messages)].join(", ")]),
          ),
        ]
      : []),
    ...(gone.size > 0 ? [table(["Missing message", "Sender", "Alternative"], [...gone.values()])] : []),
  ];
}

function messageOf({ method, part }: ConversionRow): string {
  return part === "notification" ? `\`${method}\`` : `${part} of \`${method}\``;
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await lossesDocument());
}
