import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { pinnedVersion } from "../pinned.js";
import type { Cell, Pairing } from "./pairing.js";
import { interopFolder, reportPath } from "./paths.js";
import { featuresOf, pairingsOf } from "./report.js";

const packages = [
  "@modelcontextprotocol/sdk",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/node",
  "@modelcontextprotocol/express",
  "@modelcontextprotocol/ext-apps",
  "@modelcontextprotocol/ext-tasks",
  "@modelcontextprotocol/server-everything",
  "@modelcontextprotocol/server-filesystem",
  "@modelcontextprotocol/server-memory",
  "@modelcontextprotocol/inspector",
  "fastmcp",
  "mcp-lite",
];

export async function writeDocument(cells: readonly Cell[]): Promise<void> {
  writeFileSync(reportPath, await documentOf(cells));
}

/** Whether the document matches the results of the run. */
export async function checkDocument(cells: readonly Cell[]): Promise<boolean> {
  return existsSync(reportPath) && readFileSync(reportPath, "utf8") === (await documentOf(cells));
}

function documentOf(cells: readonly Cell[]): Promise<string> {
  const text = `<!-- Written by \`npm run interop -- --write\` from the results of the run. -->

# Interoperability

Look up here which features work between mcpwright and other MCP implementations. To test them again:

\`\`\`sh
npm run interop
\`\`\`

The command connects our client and our server, installed from packed tarballs, to other servers and clients over the loopback
interface. It tries each feature that both sides have, in each revision that both support. It fails if a feature does not work,
unless the other side is known to lack it and the run shows the evidence: a message or an error of the other side and, for servers
of the common fixture, an official client that fails in the same way.

The features are ${featuresOf(cells).join(", ")}. In “progress at once”, the server sends progress and the result without a pause.
A row counts the features that could be tried with its peer.

The rows with a log-in have features of their own. A client logs in at a real authorization server, or at our OAuth proxy in front of
it; uses a refresh token after its access token has expired; and asks for more when a tool needs a further scope (“step-up”).
Users of the Inspector's page click through the log-in in Chromium.

## Our client with other servers

${section(cells, "server")}

## Our server with other clients

${section(cells, "client")}

## Versions

${packages.map((name) => `\`${name}\` ${String(pinnedVersion(interopFolder, name))}`).join(", ")}
`;
  return format(text, { parser: "markdown", printWidth: 120, proseWrap: "always" });
}

/** A table of the pairings with peers of a role, and the reasons for missing features. */
function section(cells: readonly Cell[], role: Pairing["role"]): string {
  const theirs = cells.filter(({ pairing }) => pairing.role === role);
  const pairings = pairingsOf(theirs);
  const reasons = pairings.flatMap((pairing) =>
    theirs
      .filter((cell) => cell.pairing === pairing)
      .flatMap(({ knownGap: lack }) => (lack ? [{ pairing, lack }] : [])),
  );
  const lines = new Set(
    reasons.map(({ pairing: { peer }, lack: { what } }) => {
      const same = reasons.filter(({ pairing, lack }) => pairing.peer === peer && lack.what === what);
      const features = new Set(same.map(({ lack }) => lack.feature));
      return `- ${peer}, ${[...features].join(", ")}: ${what}`;
    }),
  );
  return [
    `| ${role} | over | revisions | features | missing |`,
    "| --- | --- | --- | --- | --- |",
    ...pairings.map((pairing) =>
      row(
        pairing,
        theirs.filter((cell) => cell.pairing === pairing),
      ),
    ),
    "",
    "Missing features:",
    "",
    ...lines,
  ].join("\n");
}

function row({ peer, transport, revisions }: Pairing, cells: readonly Cell[]): string {
  const features = featuresOf(cells);
  const lacks = features
    .map((feature) => ({ feature, some: cells.filter((cell) => cell.feature === feature && cell.knownGap) }))
    .filter(({ some }) => some.length > 0)
    .map(({ feature, some }) => {
      const at = some.map(({ revision }) => revision);
      const isEverywhere = cells.every(({ feature: name, knownGap: lack }) => name !== feature || lack);
      return isEverywhere ? feature : `${feature} (${at.join(", ")})`;
    });
  const count = `${features.length - lacks.length} of ${features.length}`;
  return `| ${peer} | ${transport} | ${[...revisions].sort().join(", ")} | ${count} | ${lacks.join(", ")} |`;
}
